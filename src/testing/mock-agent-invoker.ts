import { AgentInvocationError } from './agent-invocation-error.js';

export type Invocation = {
  agent_name: string;
  prompt: string;
  timeout_seconds: number;
  kwargs: Record<string, unknown>;
};

/** Contract 001, "Mock Agent Invoker": says what it was told to say, and remembers who was asked what. */
export class MockAgentInvoker {
  private readonly responses: Map<string, string>;
  private invocations: Invocation[] = [];

  constructor(responses: Readonly<Record<string, string>> = {}) {
    this.responses = new Map(Object.entries(responses));
  }

  addResponse(agent_name: string, response: string): void {
    this.responses.set(agent_name, response);
  }

  addResponseFromDict(agent_name: string, response: Record<string, unknown>): void {
    this.addResponse(agent_name, JSON.stringify(response));
  }

  invoke(agent_name: string, prompt: string, timeout_seconds = 120, kwargs: Record<string, unknown> = {}): string {
    this.invocations.push({ agent_name, prompt, timeout_seconds, kwargs });
    const response = this.responses.get(agent_name);
    if (response !== undefined) return response;
    throw new AgentInvocationError(`No mock response configured for agent: ${agent_name}`);
  }

  getInvocations(agent_name?: string): Invocation[] {
    return this.invocations.filter((invocation) => agent_name === undefined || invocation.agent_name === agent_name);
  }

  reset(): void {
    this.invocations = [];
  }
}

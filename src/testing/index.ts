/** `baton/testing`: models and agents that say what they were told to, for tests and demonstrations without a provider. */
export { AgentInvocationError } from './agent-invocation-error.js';
export { type Invocation, MockAgentInvoker } from './mock-agent-invoker.js';
export type { Fault, Figures, ModelScenario, Step, ToolCall, Turn } from './model-scenario.js';
export { readModelScenario } from './read-model-scenario.js';
export type { TokenCount } from './scripted-tokens.js';
export type { ServedRequest } from './served-request.js';
export { type ModelServer, type ModelServerOptions, startModelServer } from './start-model-server.js';

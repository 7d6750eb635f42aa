import type { AgentSpec } from '../../src/agents/agent-spec.js';
import { type AgentsOptions, createAgents } from '../../src/agents/create-agents.js';
import { type Ask, NO_USAGE } from '../../src/core/kernel/effect.js';
import { HandoffQueue } from '../../src/engine/handoffs/handoff-queue.js';
import type { AskOutcome } from '../../src/engine/ports.js';
import { nodeClock } from '../../src/system/node-clock.js';
import { nodeIds } from '../../src/system/node-ids.js';
import { PATH, Playground } from '../faults/processes/playground.js';
import { testMetering } from './test-metering.js';

export const REQUEST = JSON.stringify({ phase: 'implementation', metadata: { x_role: 'Worker' } });

/** Asks agents in a playground, each in the way its spec says. */
export class Asker {
  readonly here = new Playground();
  readonly log: string[] = [];
  readonly specs = new Map<string, AgentSpec>();
  readonly #options: Partial<AgentsOptions>;

  constructor(options: Partial<AgentsOptions> = {}) {
    this.#options = options;
  }

  get agents() {
    const { here, specs, log } = this;
    const { environment = { PATH } } = this.#options;
    return createAgents({
      gate: here.gate,
      directory: { specOf: async (id) => specs.get(id), ids: async () => [...specs.keys()] },
      workspaceOf: () => here.home,
      environment,
      onLog: ({ text }) => log.push(text),
      limits: { graceMs: 300 },
      callsFolder: here.file('calls'),
      clock: nodeClock,
      metering: testMetering({ environment }),
      spentOf: () => NO_USAGE,
      holds: async () => false,
      judge: async () => ({ decision: 'allow' }),
      strict: async () => false,
      askedSince: async () => false,
      stateOf: (_, agent) => here.file(`state-${agent}`),
      queue: new HandoffQueue(nodeClock, nodeIds, ({ agent }, text) => log.push(`${agent}: ${text}`)),
      ...this.#options,
    });
  }

  /** A shell with this script, as an agent. */
  shell(script: string): this {
    return this.command(['sh', '-c', script]);
  }

  command(argv: readonly [string, ...string[]], env: readonly string[] = []): this {
    this.specs.set('agent', { adapter: 'command', argv, env, sandbox: 'workspace-write' });
    return this;
  }

  ask(changes: Partial<Ask> = {}, request: string | Uint8Array = REQUEST): Promise<AskOutcome> {
    const { run, abort } = this.here;
    const bytes = Buffer.from(request);
    const key = 'h1';
    const ask: Ask = {
      type: 'Ask',
      key,
      agent: 'agent',
      request: { sha256: 'a'.repeat(64), bytes: bytes.length },
      attempt: 1,
      deadlineMs: Number.MAX_SAFE_INTEGER,
      ...changes,
    };
    return this.agents.ask({ run, epoch: 1 }, ask, bytes, abort.signal);
  }
}

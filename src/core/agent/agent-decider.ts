import type { AgentRegistration } from '../../contracts/generated/types/agent.js';
import type { Decider } from '../kernel/decider.js';
import type { EffectResult } from '../kernel/effect.js';
import { KEPT } from '../kernel/run-summary.js';

/** An agent is a run of its own, so that who changed it when is in the log like everything else. */
export type AgentCommand = { type: 'Register'; atMs: number; registration: AgentRegistration } | EffectResult;
export type AgentEvent = { type: 'AgentRegistered'; atMs: number; registration: AgentRegistration };
export type Agent = { status: 'unknown' } | { status: 'registered'; registration: AgentRegistration };

export const agentDecider: Decider<AgentCommand, AgentEvent, Agent> = {
  kind: 'agent',
  version: 1,
  initialState: () => ({ status: 'unknown' }),
  /** Registering again replaces what was known. */
  decide: (_, command) =>
    command.type === 'Register'
      ? { events: [{ type: 'AgentRegistered', atMs: command.atMs, registration: command.registration }] }
      : { events: [] },
  evolve: (_, { registration }) => ({ status: 'registered', registration }),
  outstanding: () => [],
  summary(agent) {
    if (agent.status === 'unknown') throw new Error('an agent has no row before it is registered');
    const { id, description, adapter, parent } = agent.registration;
    const title = description ?? `${id} (${adapter})`;
    return { ...KEPT, status: agent.status, title, agent: id, parent: parent ?? null };
  },
  inbox: () => undefined,
};

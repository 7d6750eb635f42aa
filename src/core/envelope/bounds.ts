import { ENVELOPE_BOUNDS } from '../../contracts/envelope/envelope-defaults.js';
import type { Envelope } from '../../contracts/generated/types/envelope.js';
import { unreachable } from '../kernel/unreachable.js';

export type Bound =
  | 'max_iterations_exceeded'
  | 'max_llm_calls_exceeded'
  | 'max_agent_hops_exceeded'
  | 'max_critic_fires_exceeded';

export type Counters = {
  iteration: number;
  max_iterations: number;
  llm_call_count: number;
  max_llm_calls: number;
  agent_hop_count: number;
  max_agent_hops: number;
};

/** How often in a row the critic has sent the work back; without a max it may do so for ever. */
export type CriticFires = { count: number; max?: number };

/** The first bound, in the order of the contract, that leaves no room for another stage. */
export function boundReached(counters: Counters, fires: CriticFires): Bound | null {
  if (counters.iteration > counters.max_iterations) return 'max_iterations_exceeded';
  if (counters.llm_call_count >= counters.max_llm_calls) return 'max_llm_calls_exceeded';
  if (counters.agent_hop_count >= counters.max_agent_hops) return 'max_agent_hops_exceeded';
  if (fires.max !== undefined && fires.count > fires.max) return 'max_critic_fires_exceeded';
  return null;
}

/** The termination_reason of a bound, with the figures it was reached at. */
export function boundSentence(bound: Bound, counters: Counters, fires: CriticFires): string {
  switch (bound) {
    case 'max_iterations_exceeded':
      return `the work was sent back ${counters.iteration} times, and ${counters.max_iterations} are allowed`;
    case 'max_llm_calls_exceeded':
      return `${counters.llm_call_count} of ${counters.max_llm_calls} LLM calls are used`;
    case 'max_agent_hops_exceeded':
      return `${counters.agent_hop_count} of ${counters.max_agent_hops} agent hops are used`;
    case 'max_critic_fires_exceeded':
      return `the critic sent the work back ${fires.count} times in a row, and ${fires.max} are allowed`;
    default:
      return unreachable(bound);
  }
}

export type Continuation = {
  can_continue: boolean;
  terminal_reason: NonNullable<Envelope['terminal_reason']> | null;
  iteration: number;
  llm_call_count: number;
  agent_hop_count: number;
};

const NO_FIRES: CriticFires = { count: 0 };

/** Whether another stage may begin, as far as the envelope itself shows: how often the critic fired, only its run knows. */
export function canContinue(envelope: Envelope): Continuation {
  const counters = countersOf(envelope);
  const pending = envelope.clarification_pending === true || envelope.confirmation_pending === true;
  const bound = envelope.terminated || pending ? null : boundReached(counters, NO_FIRES);
  return {
    can_continue: !envelope.terminated && !pending && bound === null,
    terminal_reason: envelope.terminated ? (envelope.terminal_reason ?? null) : bound,
    iteration: counters.iteration,
    llm_call_count: counters.llm_call_count,
    agent_hop_count: counters.agent_hop_count,
  };
}

export function countersOf(envelope: Envelope): Counters {
  return {
    iteration: envelope.iteration ?? 0,
    max_iterations: envelope.max_iterations ?? ENVELOPE_BOUNDS.max_iterations,
    llm_call_count: envelope.llm_call_count ?? 0,
    max_llm_calls: envelope.max_llm_calls ?? ENVELOPE_BOUNDS.max_llm_calls,
    agent_hop_count: envelope.agent_hop_count ?? 0,
    max_agent_hops: envelope.max_agent_hops ?? ENVELOPE_BOUNDS.max_agent_hops,
  };
}

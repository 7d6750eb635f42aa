import type { FailureKind } from '../core/kernel/effect.js';
import { NO_USAGE } from '../core/kernel/effect.js';
import type { Agents, AskOutcome } from '../engine/ports.js';

/** One way of asking, for one agent. */
export type Adapter = Agents['ask'];

export type Failed = Extract<AskOutcome, { type: 'failed' }>;

/** Nothing is metered here: what an agent says it used stands in its answer. */
export function failed(failure: FailureKind, reason: string, retryAfterMs?: number): Failed {
  return { type: 'failed', failure, reason, usage: NO_USAGE, ...(retryAfterMs !== undefined && { retryAfterMs }) };
}

export function answered(text: string): AskOutcome {
  return { type: 'answered', text, usage: NO_USAGE };
}

export function untilAborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}

import type { Ask } from '../../core/kernel/effect.js';
import { NO_USAGE } from '../../core/kernel/effect.js';
import type { AskOutcome } from '../ports.js';
import { sealBody } from '../seal.js';
import type { Context, Ran } from './context.js';

/** Touches the world once and turns what happened into the next command. Decides nothing. */
export async function runAsk({ ports, run, epoch, signal }: Context, ask: Ask): Promise<Ran> {
  const request = await ports.store.body(ask.request.sha256);
  if (signal.aborted) return undefined;
  if (!request) return failedWith(ports.clock.nowMs(), ask.key, missing(ask.request.sha256));
  const deadline = new AbortController();
  const cancel = ports.clock.after(Math.max(0, ask.deadlineMs - ports.clock.nowMs()), () => deadline.abort());
  const stop = () => deadline.abort();
  signal.addEventListener('abort', stop);
  let outcome: AskOutcome;
  try {
    outcome = await ports.agents.ask({ run, epoch }, ask, request, deadline.signal);
  } catch (problem) {
    outcome = { type: 'failed', failure: 'crash', reason: String(problem), usage: NO_USAGE };
  } finally {
    cancel();
    signal.removeEventListener('abort', stop);
  }
  const atMs = ports.clock.nowMs();
  if (outcome.type === 'answered') {
    const { ref, body } = sealBody(ports, outcome.text);
    return { command: { type: 'Answered', atMs, key: ask.key, answer: ref, usage: outcome.usage }, bodies: [body] };
  }
  // An agent that was ended because its time was up did not crash.
  return failedWith(
    atMs,
    ask.key,
    deadline.signal.aborted && !signal.aborted ? { ...outcome, failure: 'timeout' } : outcome,
  );
}

function failedWith(atMs: number, key: string, outcome: Extract<AskOutcome, { type: 'failed' }>): Ran {
  const { failure, reason, usage, retryAfterMs } = outcome;
  return {
    command: { type: 'Failed', atMs, key, failure, reason, usage, ...(retryAfterMs !== undefined && { retryAfterMs }) },
  };
}

function missing(sha256: string): Extract<AskOutcome, { type: 'failed' }> {
  return { type: 'failed', failure: 'crash', reason: `the request ${sha256} is not in the store`, usage: NO_USAGE };
}

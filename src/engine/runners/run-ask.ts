import type { Ask, BodyRef } from '../../core/kernel/effect.js';
import { NO_USAGE } from '../../core/kernel/effect.js';
import { loginOf } from '../login-of.js';
import { pause } from '../pause.js';
import type { AskOutcome, Readers, SealedBody } from '../ports.js';
import { sealBody } from '../seal.js';
import type { Context, Ran } from './context.js';
import { watchSilence } from './silence.js';

/** `made` is what was composed now and must be kept with the answer. */
type Request = { bytes: Uint8Array; made?: { ref: BodyRef; body: SealedBody } };

/** Touches the world once and turns what happened into the next command. Decides nothing. */
export async function runAsk(context: Context, ask: Ask): Promise<Ran> {
  const { ports, run, epoch, signal, system } = context;
  const inTheWay = ask.pays === undefined ? undefined : await system.budgets.inTheWay(ask.pays);
  if (inTheWay) return failedWith(ports.clock.nowMs(), ask.key, spent(inTheWay.reason));
  const request = await requestOf(context, ask);
  if (signal.aborted) return undefined;
  if (!request) return failedWith(ports.clock.nowMs(), ask.key, missing(ask));
  const deadline = new AbortController();
  const cancel = ports.clock.after(Math.max(0, ask.deadlineMs - ports.clock.nowMs()), () => deadline.abort());
  const stop = () => deadline.abort();
  signal.addEventListener('abort', stop);
  let silent: string | undefined;
  const unwatch = ask.silence
    ? watchSilence(context, ask.silence, (reason) => {
        silent = reason;
        deadline.abort();
      })
    : () => {};
  let outcome: AskOutcome;
  try {
    outcome = await ports.agents.ask({ run, epoch }, ask, request.bytes, deadline.signal);
  } catch (problem) {
    outcome = { type: 'failed', failure: 'crash', reason: String(problem), usage: NO_USAGE };
  } finally {
    cancel();
    unwatch();
    signal.removeEventListener('abort', stop);
  }
  if (!signal.aborted) {
    await system.asked(await loginOf(ports, ask.lane ?? ask.agent), outcome.type === 'failed' ? outcome : undefined);
  }
  const atMs = ports.clock.nowMs();
  if (outcome.type === 'answered') return answered(context, ask, request, outcome, atMs);
  if (outcome.type === 'asks') return asks(ask, request, outcome, atMs);
  // An agent that was ended because its time was up did not crash.
  const timedOut = deadline.signal.aborted && !signal.aborted;
  const reason = silent ?? outcome.reason;
  // Machines keep the beginning of it: nobody knows half of a secret again.
  const said = { ...outcome, reason: ports.scrub(reason) };
  return failedWith(atMs, ask.key, timedOut ? { ...said, failure: 'timeout' } : said, request);
}

async function requestOf({ ports, run }: Context, { request }: Ask): Promise<Request | undefined> {
  if ('sha256' in request) {
    const bytes = await ports.store.body(request.sha256);
    return bytes && { bytes };
  }
  const made = sealBody(ports, await ports.composers.compose(run, request));
  return { bytes: made.body.bytes, made };
}

async function answered(
  context: Context,
  { key, reading }: Ask,
  { made }: Request,
  { text, usage, thread }: Extract<AskOutcome, { type: 'answered' }>,
  atMs: number,
): Promise<Ran> {
  const { ref, body } = sealBody(context.ports, text);
  const read = reading && (await readAnswer(context, reading, { text, ref, atMs }));
  if (reading && !read) return undefined;
  return {
    command: {
      ...{ type: 'Answered', atMs, key, answer: ref, usage },
      ...(made && { request: made.ref }),
      ...(thread !== undefined && { thread }),
      ...(read && { reading: read.reading }),
    },
    bodies: [...(made ? [made.body] : []), body, ...(read?.bodies ?? [])],
  };
}

const READ_AGAIN_MS = 1_000;

/** An answer was paid for: where it cannot be read now it is read again, and nobody is asked again for it. */
async function readAnswer(
  { ports, run, signal }: Context,
  ...args: Parameters<Readers['read']>
): Promise<Awaited<ReturnType<Readers['read']>> | undefined> {
  while (!signal.aborted) {
    try {
      return await ports.readers.read(...args);
    } catch (problem) {
      ports.log('warn', 'an answer could not be read yet', { run, problem: String(problem) });
      await pause(ports.clock, READ_AGAIN_MS);
    }
  }
  return undefined;
}

function asks(
  { key }: Ask,
  { made }: Request,
  { wanted, usage, thread }: Extract<AskOutcome, { type: 'asks' }>,
  atMs: number,
): Ran {
  const more = { ...(made && { request: made.ref }), ...(thread !== undefined && { thread }) };
  return {
    command: { type: 'Asks', atMs, key, wanted, usage, ...more },
    ...(made && { bodies: [made.body] }),
  };
}

function failedWith(
  atMs: number,
  key: string,
  outcome: Extract<AskOutcome, { type: 'failed' }>,
  { made }: Partial<Request> = {},
): Ran {
  const { failure, reason, usage, retryAfterMs, thread } = outcome;
  return {
    command: {
      type: 'Failed',
      atMs,
      key,
      failure,
      reason,
      usage,
      ...(retryAfterMs !== undefined && { retryAfterMs }),
      ...(made && { request: made.ref }),
      ...(thread !== undefined && { thread }),
    },
    ...(made && { bodies: [made.body] }),
  };
}

function spent(reason: string): Extract<AskOutcome, { type: 'failed' }> {
  return { type: 'failed', failure: 'spent', reason, usage: NO_USAGE };
}

function missing({ request }: Ask): Extract<AskOutcome, { type: 'failed' }> {
  const reason = `the request ${'sha256' in request ? request.sha256 : request.composer} is not in the store`;
  return { type: 'failed', failure: 'crash', reason, usage: NO_USAGE };
}

import type { FailureKind } from '../kernel/effect.js';

/** What the answer of an agent, or what it left in the workspace, can have wrong. */
export type AnswerFault = 'schema' | 'action' | 'summary' | 'path' | 'evidence';

/** STUCK calls a person. RETRY asks again by itself, `retries` times, then it is STUCK. PARK waits for a provider. */
export type Response = { does: 'STUCK' } | { does: 'RETRY'; retries: number } | { does: 'PARK' } | { does: 'ACCEPT' };

type Row = { response: Response /** For the person who is called, what helps. */; hint: string };

/** The error escalation matrix of the contract. A kind of failure without a row does not compile. */
export const FAILURE_ROWS: Readonly<Record<FailureKind, Row>> = {
  network: { response: { does: 'RETRY', retries: 3 }, hint: 'Check the network and the provider, then resubmit.' },
  limit: { response: { does: 'PARK' }, hint: 'It goes on by itself when the provider allows it.' },
  login: { response: { does: 'PARK' }, hint: 'Log the agent in; all jobs that wait for it go on by themselves.' },
  auth: {
    response: { does: 'STUCK' },
    hint: 'The provider refused the key: give the agent a valid one, then resubmit.',
  },
  'not-found': { response: { does: 'STUCK' }, hint: 'Install the agent or register another one, then resubmit.' },
  'disk-full': { response: { does: 'STUCK' }, hint: 'Free space on the disk of the workspace, then resubmit.' },
  workspace: {
    response: { does: 'STUCK' },
    hint: 'Repair what is said, then resubmit: a workspace that is gone is made again from the last commit of the job.',
  },
  timeout: {
    response: { does: 'STUCK' },
    hint: 'Resubmit with guidance; only a new job can have more time for a handoff (--timeout-seconds).',
  },
  crash: { response: { does: 'RETRY', retries: 1 }, hint: 'Look at the log of the agent, then resubmit.' },
  // As often as it takes: the limit, which is looked at before every ask, ends it.
  spent: {
    response: { does: 'RETRY', retries: Number.POSITIVE_INFINITY },
    hint: 'Raise the limit, or cancel the job.',
  },
  refused: { response: { does: 'STUCK' }, hint: 'Change the request so that the agent accepts it, then resubmit.' },
};

export const ANSWER_ROWS: Readonly<Record<AnswerFault, Row & { strict: Response }>> = {
  schema: stuck('The answer was not what was agreed. Look at it, then resubmit with guidance.'),
  action: stuck('The answer names no action there is. Look at it, then resubmit with guidance.'),
  summary: stuck('The answer has no summary. Look at it, then resubmit with guidance.'),
  path: stuck('The answer names a file outside the workspace; it was not opened. Resubmit with guidance.'),
  evidence: {
    response: { does: 'ACCEPT' },
    // Counted as a try of its phase, not by the matrix.
    strict: { does: 'RETRY', retries: Number.POSITIVE_INFINITY },
    hint: 'Files the agent named do not exist.',
  },
};

const BACK_OFF_MS = 1_000;

const JITTER = 0.2;

/** 1 s, 2 s, 4 s, each up to a fifth more or less; what the provider asks for when that is longer. */
export function backOffMs(retry: number, atMs: number, retryAfterMs = 0): number {
  return Math.round(Math.max(BACK_OFF_MS * 2 ** (retry - 1) * (1 + JITTER * spread(atMs)), retryAfterMs));
}

/** In [-1, 1]: which millisecond it is decides, so that deciding again decides the same. */
function spread(atMs: number): number {
  return (Math.imul(atMs % 2 ** 31, 0x9e3779b1) >>> 0) / 2 ** 31 - 1;
}

function stuck(hint: string): Row & { strict: Response } {
  return { response: { does: 'STUCK' }, strict: { does: 'STUCK' }, hint };
}

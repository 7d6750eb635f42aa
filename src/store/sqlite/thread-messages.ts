import { BatonError, type Details, type ErrorCode } from '../../contracts/shared/errors.js';
import type { Committed, Outcome, WriteTask } from './write-tasks.js';

/** What passes between the store and its writer thread: plain data only. */
export type ThreadStart = { home: string };
export type ThreadRequest = { type: 'commit'; tasks: readonly WriteTask[] } | { type: 'close' };
export type PlainFailure = { message: string; code?: ErrorCode; details?: Details };
export type PlainOutcome = { value: unknown } | { failure: PlainFailure };
export type ThreadReply =
  | { type: 'ready' }
  | { type: 'unable'; failure: PlainFailure }
  | { type: 'committed'; outcomes: readonly PlainOutcome[]; news: boolean };

export function toPlainFailure(failure: unknown): PlainFailure {
  if (!(failure instanceof Error)) return { message: String(failure) };
  if (!(failure instanceof BatonError)) return { message: failure.message };
  return { message: failure.message, code: failure.code, ...(failure.details && { details: failure.details }) };
}

export function fromPlainFailure({ message, code, details }: PlainFailure): Error {
  return code ? new BatonError(code, message, details) : new Error(message);
}

export function toReply({ outcomes, news }: Committed): ThreadReply {
  return { type: 'committed', news, outcomes: outcomes.map(toPlainOutcome) };
}

export function fromReply({ outcomes, news }: Extract<ThreadReply, { type: 'committed' }>): Committed {
  return { news, outcomes: outcomes.map(fromPlainOutcome) };
}

function toPlainOutcome(outcome: Outcome): PlainOutcome {
  return 'failure' in outcome ? { failure: toPlainFailure(outcome.failure) } : outcome;
}

function fromPlainOutcome(outcome: PlainOutcome): Outcome {
  return 'failure' in outcome ? { failure: fromPlainFailure(outcome.failure) } : (outcome as Outcome);
}

import { plainText } from './plain-text.js';
import type { StageEnd, StageError } from './stage-end.js';

/** An event holds 64 KiB: so much of it is for what went wrong in a stage, as JSON in UTF-8. */
const ERRORS_BYTES_MAX = 16 * 1024;
const MESSAGE_LENGTH_MAX = 1_000;
const QUESTION_LENGTH_MAX = 4_000;
const TYPE_LENGTH_MAX = 100;
const DETAILS_BYTES_MAX = 2 * 1024;
const UTF8 = new TextEncoder();

/** What a stage has come to, as it can be written down: of many failures the beginning, with how many there were. */
export function fittingEnd<Output>(end: StageEnd<Output>): StageEnd<Output> {
  if (end.type === 'error') return { ...end, error: fitting(end.error) };
  if (end.type === 'confirm') return { ...end, message: plainText(end.message, QUESTION_LENGTH_MAX) };
  return end.errors.length > 0 ? { ...end, errors: fittingErrors(end.errors) } : end;
}

function fittingErrors(errors: readonly StageError[]): readonly StageError[] {
  const kept: StageError[] = [];
  let bytes = 0;
  for (const error of errors.map(fitting)) {
    bytes += bytesOf(error);
    if (bytes > ERRORS_BYTES_MAX) return [...kept, leftOut(errors.slice(kept.length))];
    kept.push(error);
  }
  return kept;
}

function fitting({ error_type, message, recoverable, details }: StageError): StageError {
  return {
    error_type: plainText(error_type, TYPE_LENGTH_MAX),
    message: plainText(message, MESSAGE_LENGTH_MAX),
    recoverable,
    ...(details && bytesOf(details) <= DETAILS_BYTES_MAX && { details }),
  };
}

function leftOut(errors: readonly StageError[]): StageError {
  const recoverable = errors.every((error) => error.recoverable);
  return { error_type: 'MoreErrors', message: `${errors.length} more are not listed here`, recoverable };
}

function bytesOf(value: unknown): number {
  return UTF8.encode(JSON.stringify(value)).length;
}

import { ERRORS, type ErrorObject, isBatonError } from '../contracts/shared/errors.js';
import type { Io } from './io.js';
import { printable, printableJson } from './printable.js';

/** The one place where an error becomes words and an exit code. */
export function reportError(io: Io, failure: unknown, json: boolean): number {
  if (!isBatonError(failure)) throw failure;
  const object: ErrorObject = failure.toObject();
  const { exit } = ERRORS[failure.code];
  if (json) io.out(`${printableJson(object)}\n`);
  else if (failure.code === 'USAGE') io.err(`${printable(failure.message)}\n  ${printable(failure.hint)}\n`);
  else io.err(`Refused: ${printable(failure.message)}. ${failure.code}\n  ${printable(failure.hint)}\n`);
  return exit;
}

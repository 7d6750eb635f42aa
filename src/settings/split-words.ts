import { parseCommandLine } from '../contracts/shared/command-line.js';
import { BatonError, isBatonError } from '../contracts/shared/errors.js';

/** A command given to an option: no shell looks at it. */
export function splitWords(text: string, option: string): readonly string[] {
  try {
    return parseCommandLine(text);
  } catch (failure) {
    if (!isBatonError(failure)) throw failure;
    throw new BatonError('USAGE', `--${option}: ${failure.message}`);
  }
}

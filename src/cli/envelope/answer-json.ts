import { toldError } from '../../contracts/envelope/told-error.js';
import { ERRORS, isBatonError } from '../../contracts/shared/errors.js';
import type { Io } from '../io.js';
import { printableJson } from '../printable.js';

/** Programs read the commands about envelopes: whatever comes of one is an object on standard output. */
export async function answerJson<T extends object>(
  io: Io,
  work: () => Promise<T>,
  exitOf: (answer: T) => number = () => 0,
): Promise<number> {
  try {
    const answer = await work();
    io.out(`${printableJson(answer)}\n`);
    return exitOf(answer);
  } catch (failure) {
    if (!isBatonError(failure)) throw failure;
    io.out(`${printableJson(toldError(failure))}\n`);
    return ERRORS[failure.code].exit;
  }
}

import { type BatonError, ERRORS, type ErrorCode, type ErrorObject, isBatonError } from '../contracts/shared/errors.js';
import type { Io } from './io.js';
import { printable, printableJson } from './printable.js';

/** The one place where an error becomes words and an exit code. */
export function reportError(io: Io, failure: unknown, json: boolean): number {
  if (!isBatonError(failure)) throw failure;
  const object: ErrorObject = failure.toObject();
  const { exit } = ERRORS[failure.code];
  if (json) io.out(`${printableJson(object)}\n`);
  else if (failure.code === 'USAGE') io.err(`${printable(failure.message)}\n  ${printable(hintHere(failure))}\n`);
  else io.err(`Refused: ${printable(failure.message)}. ${failure.code}\n  ${printable(hintHere(failure))}\n`);
  return exit;
}

/** Where the way out at a terminal is another one than on the wire. */
const AT_A_TERMINAL: Partial<Record<ErrorCode, string>> = {
  UNAUTHENTICATED: 'Set BATON_TOKEN to a token of that server: the file token of its home, or baton token create.',
};

const NAMED = /(?:(?:named |listed )?in )?<?details\.(\w+)>?/g;

/** Details are not shown beside words, so what a hint names of them is put in its place. */
function hintHere({ code, hint, details = {} }: BatonError): string {
  const said = (AT_A_TERMINAL[code] ?? hint).replace(NAMED, (all, name: string) => shown(details[name]) ?? all);
  return said.includes('details.') ? `${said} (details: repeat with --json)` : said;
}

function shown(value: unknown): string | undefined {
  if (typeof value === 'string' || typeof value === 'number') return String(value);
  const isWords = Array.isArray(value) && value.length > 0 && value.every((one) => typeof one === 'string');
  return isWords ? value.join(', ') : undefined;
}

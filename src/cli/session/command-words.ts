import { printable, printableJson } from '../printable.js';

/** What needs no quotes in any shell. */
const PLAIN = /^[A-Za-z0-9_@%+=:,./-]+$/;

/** A command on one line, as it could be typed. */
export function commandWords(argv: readonly string[]): string {
  return argv.map((word) => printable(PLAIN.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`)).join(' ');
}

/** Each word by itself, escaped so that nothing in it is hidden; only where one line could be misread. */
export function argvLines(argv: readonly string[]): string[] {
  if (argv.every((word) => PLAIN.test(word))) return [];
  return argv.map((word, index) => `[${index}] ${printableJson(word)}`);
}

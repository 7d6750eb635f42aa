/** Reading what others print: anything may be missing, or be something else. */

import { plainText } from '../process/plain-text.js';

export type Fields = Readonly<Record<string, unknown>>;

export function fields(value: unknown): Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {};
}

export function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

export function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

export function objectOf(json: string): Fields {
  try {
    return fields(JSON.parse(json));
  } catch {
    return {};
  }
}

const LINE_LENGTH_MAX = 200;
const LINE_ENDS = /[\r\n\u2028\u2029]+/;
const WORD_AT_END = /[\w.~+/=-]+$/;

/** One line for the live log: the first that says something, and how many more there are. */
export function oneLine(words: string): string {
  const lines = words
    .split(LINE_ENDS)
    .map((line) => plainText(line).trim())
    .filter((line) => line !== '');
  const [first = ''] = lines;
  const more = lines.length - 1;
  return more > 0 ? `${beginningOf(first)} (+${more} ${more === 1 ? 'line' : 'lines'})` : beginningOf(first);
}

/** Not cut inside a word: of a secret that is cut nobody knows that it is one. */
function beginningOf(line: string): string {
  if (line.length <= LINE_LENGTH_MAX) return line;
  const cut = line.slice(0, LINE_LENGTH_MAX);
  const whole = WORD_AT_END.test(line[LINE_LENGTH_MAX] ?? '') ? cut.replace(WORD_AT_END, '') : cut;
  return `${whole.replace(/[\ud800-\udbff]$/, '').trimEnd()}…`;
}

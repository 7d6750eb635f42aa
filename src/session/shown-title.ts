import { quoted } from '../core/policy/rule.js';
import { shellLineIn } from './shell-line.js';

const TITLE_CHARS_MAX = 200;

const UNSAFE =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters to show
  /[\u0000-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]|[\u{e0000}-\u{e007f}]|[\ud800-\udfff]/gu;
const SHORT: Readonly<Record<string, string>> = { '\n': '\\n', '\t': '\\t', '\r': '\\r' };

/** Text of others on one short line: what would move a cursor or turn the order of reading is seen as an escape. */
export function shownTitle(text: string, charsMax = TITLE_CHARS_MAX): string {
  const line = text.slice(0, charsMax * 2).replace(UNSAFE, escaped);
  if (line.length <= charsMax && text.length <= charsMax * 2) return line;
  return `${line.slice(0, charsMax - 1).replace(/[\ud800-\udbff]$/, '')}…`;
}

/** A command as a person would type it. */
export function commandTitle(argv: readonly string[], charsMax?: number): string {
  return shownTitle(shellLineIn(argv) ?? argv.map(quoted).join(' '), charsMax);
}

function escaped(unit: string): string {
  return SHORT[unit] ?? `\\u{${(unit.codePointAt(0) ?? 0).toString(16)}}`;
}

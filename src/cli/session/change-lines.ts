import { printable } from '../printable.js';
import type { Tone } from './tint.js';

export type ToneLine = {
  text: string;
  tone: Tone;
  /** Where a line that is too long goes on; else below its first word. */
  hang?: number;
  /** To be read as it is: it is not broken at its spaces. */
  isExact?: true;
};
type Change = { type?: unknown; unified_diff?: unknown; content?: unknown; move_path?: unknown };

const LINES_MAX = 60;
const SIGNS: Readonly<Record<string, string>> = { add: 'A', delete: 'D', update: 'M' };

/** What a patch changes, file by file, as a unified diff. Long ones are cut, and say so. */
export function changeLines(changes: Readonly<Record<string, Change>>, linesMax = LINES_MAX): ToneLine[] {
  return Object.entries(changes).flatMap(([file, change]) => {
    const body = bodyOf(change);
    const shown = body.slice(0, linesMax);
    const left = body.length - shown.length;
    return [
      headOf(file, change, body),
      ...shown.map((line) => ({ text: `  ${safe(line)}`, tone: toneOf(line), isExact: true as const })),
      ...(left > 0 ? [{ text: `  … ${left} more lines`, tone: 'dim' as const }] : []),
    ];
  });
}

function headOf(file: string, { type, move_path: to }: Change, body: readonly string[]): ToneLine {
  const added = body.filter((line) => toneOf(line) === 'good').length;
  const removed = body.filter((line) => toneOf(line) === 'bad').length;
  const where = typeof to === 'string' ? `${file} -> ${to}` : file;
  const sign = SIGNS[String(type)] ?? '?';
  return { text: printable(`${sign} ${where}   +${added} -${removed}`), tone: 'strong' };
}

function bodyOf({ type, unified_diff: diff, content }: Change): string[] {
  if (typeof diff === 'string') return withoutHead(linesIn(diff));
  const sign = type === 'delete' ? '-' : '+';
  return typeof content === 'string' ? linesIn(content).map((line) => `${sign}${line}`) : [];
}

/** Names of files stand before the first place only; behind it the same signs are lines of the file. */
function withoutHead(lines: readonly string[]): string[] {
  const first = lines.findIndex((line) => line.startsWith('@@'));
  return lines.slice(Math.max(first, 0));
}

function linesIn(text: string): string[] {
  const lines = text.replaceAll('\r\n', '\n').split('\n');
  return lines.at(-1) === '' ? lines.slice(0, -1) : lines;
}

function toneOf(line: string): Tone {
  if (line.startsWith('+')) return 'good';
  if (line.startsWith('-')) return 'bad';
  return line.startsWith('@@') ? 'dim' : 'plain';
}

function safe(line: string): string {
  return printable(line.replaceAll('\t', '    '));
}

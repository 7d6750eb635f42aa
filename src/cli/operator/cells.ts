import { printable } from '../printable.js';

const WIDE =
  /[\p{Script=Han}\p{Script=Hangul}\p{Script=Hiragana}\p{Script=Katakana}\p{Emoji_Presentation}\uff01-\uff60]/u;
const MARK = /\p{M}/u;

/** How many columns of a terminal a text takes. */
export function cellsOf(text: string): number {
  let cells = 0;
  for (const sign of text) cells += cellsOfSign(sign);
  return cells;
}

function cellsOfSign(sign: string): number {
  if (sign < '\u0300') return 1;
  if (MARK.test(sign)) return 0;
  return WIDE.test(sign) ? 2 : 1;
}

/** Text from outside in a column of its own: made safe, cut with `…` where it is too long, filled up where too short. */
export function cell(text: string, width: number): string {
  const shown = cut(printable(text), width);
  return shown + ' '.repeat(width - cellsOf(shown));
}

/** At most so many columns; the last one says that something is missing. */
export function cut(text: string, width: number): string {
  if (text.length <= width && cellsOf(text) <= width) return text;
  let [shown, cells] = ['', 0];
  for (const sign of text) {
    cells += cellsOfSign(sign);
    if (cells > width - 1 && cellsOf(text) > width) return `${shown}…`;
    shown += sign;
  }
  return shown;
}

/** Broken at spaces, and inside a word that is longer than a line. The first line may be shorter than the others. */
export function wrapCells(text: string, width: number, firstWidth = width): string[] {
  const lines: string[] = [];
  let [line, room] = ['', firstWidth];
  for (const word of text.split(/\s+/).filter((part) => part !== '')) {
    const gap = line === '' ? 0 : 1;
    if (cellsOf(line) + gap + cellsOf(word) <= room) {
      line += (gap ? ' ' : '') + word;
      continue;
    }
    if (line !== '' || lines.length === 0) lines.push(line);
    room = width;
    line = '';
    for (const piece of pieces(word, width)) {
      if (line !== '') lines.push(line);
      line = piece;
    }
  }
  return line === '' ? lines : [...lines, line];
}

function pieces(word: string, width: number): string[] {
  if (cellsOf(word) <= width) return [word];
  const found = [''];
  for (const sign of word) {
    if (cellsOf(found.at(-1) as string) + cellsOfSign(sign) > width) found.push('');
    found[found.length - 1] += sign;
  }
  return found;
}

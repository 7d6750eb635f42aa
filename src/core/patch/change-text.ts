import type { Chunk, UpdateChange } from './parse-patch.js';
import { createSeeker, type Effort, type Seeker } from './seek-lines.js';
import { shownLine } from './shown-line.js';
import { joinLines, splitLines, type TextLines } from './text-lines.js';

type Placed = { at: number; lines: Chunk['lines'] };

const SHOWN_LINES_MAX = 3;

/** The text of a file after its chunks. Kept lines stay as the file has them, however loosely they were matched. */
export function changeText(
  text: string,
  { path, chunks }: UpdateChange,
  effort: Effort = { comparisons: 0 },
): { text: string } | { fault: string } {
  const former = splitLines(text);
  const seeker = createSeeker(former.lines, effort);
  const all: Placed[] = [];
  let from = 0;
  for (const chunk of chunks) {
    const placed = place(seeker, former, chunk, from);
    if ('fault' in placed) return { fault: `line ${chunk.line} of the patch: ${shownLine(path)} ${placed.fault}` };
    all.push(placed);
    from = placed.at + soughtIn(placed.lines).length;
  }
  return { text: replaceAll(former, all) };
}

function place(seeker: Seeker, { lines }: TextLines, chunk: Chunk, from: number): Placed | { fault: string } {
  const narrowed = narrow(seeker, chunk.headers, from);
  if ('fault' in narrowed) return narrowed;
  const { after, header } = narrowed;
  if (soughtIn(chunk.lines).length === 0) {
    if (chunk.atEnd || chunk.headers.length === 0) return { at: lines.length, lines: chunk.lines };
    if (header !== undefined) return { at: after, lines: chunk.lines };
    return { fault: `has the line of the header only before its line ${from + 1}: say with kept lines where to add` };
  }
  for (const shorter of withAndWithoutBlankTail(chunk.lines)) {
    // Some models repeat the header as the first line of its chunk.
    for (const start of header === undefined ? [after] : [after, header]) {
      const at = seeker.seek({ pattern: soughtIn(shorter), from: start, atEnd: chunk.atEnd });
      if (at !== undefined) return { at, lines: shorter };
    }
  }
  return { fault: nowhere(seeker, soughtIn(chunk.lines), after) };
}

function soughtIn(lines: Chunk['lines']): string[] {
  return lines.filter(({ type }) => type !== 'added').map(({ text }) => text);
}

/** Where the search begins: below each header in turn. One that stands only above is where the last chunk was, too. */
function narrow(
  seeker: Seeker,
  headers: readonly string[],
  from: number,
): { after: number; header?: number } | { fault: string } {
  let after = from;
  let header: number | undefined;
  for (const text of headers) {
    const at = seeker.seek({ pattern: [text], from: after, atEnd: false });
    if (at !== undefined) {
      header = at;
      after = at + 1;
    } else if (seeker.seek({ pattern: [text], from: 0, atEnd: false }) === undefined) {
      return { fault: tooMuch(seeker) ?? `has no line ${shownLine(text)}, which the header names` };
    }
  }
  return { after, ...(header !== undefined && { header }) };
}

/** Blank lines under a chunk may only separate it from what follows in the patch. */
function withAndWithoutBlankTail(lines: Chunk['lines']): Chunk['lines'][] {
  const last = lines.findLastIndex(({ type, text }) => type !== 'kept' || text.trim() !== '');
  const shorter = lines.slice(0, last + 1);
  return shorter.length < lines.length && soughtIn(shorter).length > 0 ? [lines, shorter] : [lines];
}

function nowhere(seeker: Seeker, sought: readonly string[], after: number): string {
  const exhausted = tooMuch(seeker);
  if (exhausted) return exhausted;
  const more = sought.length > SHOWN_LINES_MAX ? ` and ${sought.length - SHOWN_LINES_MAX} more` : '';
  const lines = `${sought.slice(0, SHOWN_LINES_MAX).map(shownLine).join(', ')}${more}`;
  const elsewhere = seeker.seek({ pattern: sought, from: 0, atEnd: false });
  if (elsewhere === undefined) return `does not have these lines: ${lines}`;
  if (elsewhere >= after) return `does not end with these lines: ${lines}`;
  const reason = 'chunks stand in the order of the file and do not overlap';
  return `has these lines only before its line ${after + 1} (${reason}): ${lines}`;
}

function tooMuch(seeker: Seeker): string | undefined {
  return seeker.isExhausted ? 'repeats itself so much that the place cannot be found: send a smaller patch' : undefined;
}

function replaceAll(former: TextLines, all: readonly Placed[]): string {
  const lines: string[] = [];
  const ends: string[] = [];
  let next = 0;
  const keepUntil = (end: number): void => {
    for (; next < end; next += 1) {
      lines.push(former.lines[next] ?? '');
      ends.push(former.ends[next] ?? '');
    }
  };
  for (const { at, lines: changed } of all) {
    keepUntil(at);
    for (const { type, text } of changed) {
      if (type === 'kept') keepUntil(next + 1);
      else if (type === 'removed') next += 1;
      else {
        lines.push(text);
        ends.push(former.usualEnd);
      }
    }
  }
  keepUntil(former.lines.length);
  return joinLines(former, lines, ends);
}

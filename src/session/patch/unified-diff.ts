import { createTwoFilesPatch, formatPatch, OMIT_HEADERS } from 'diff';

/** Beyond this many edits the shortest difference takes longer than anybody waits. */
const EDITS_MAX = 1_000;
const AROUND = 3;
const OPEN_END = '\\ No newline at end of file';

/** The hunks alone: the file is named beside them. */
export function unifiedDiff(before: string, after: string): string {
  if (before === after) return '';
  const options = { context: AROUND, headerOptions: OMIT_HEADERS, maxEditLength: EDITS_MAX };
  return createTwoFilesPatch('a', 'b', before, after, undefined, undefined, options) ?? oneHunk(before, after);
}

/** From the first line that differs to the last: all of the one, then all of the other. */
function oneHunk(before: string, after: string): string {
  const old = linesOf(before);
  const fresh = linesOf(after);
  const shorter = Math.min(old.length, fresh.length);
  const first = countWhile(shorter, (index) => old[index] === fresh[index]);
  const same = countWhile(shorter - first, (index) => old.at(-1 - index) === fresh.at(-1 - index));
  const from = Math.max(0, first - AROUND);
  const beyond = Math.max(0, same - AROUND);
  const hunk = {
    oldStart: from + 1,
    oldLines: old.length - beyond - from,
    newStart: from + 1,
    newLines: fresh.length - beyond - from,
    lines: [
      ...marked(' ', old.slice(from, first)),
      ...marked('-', old.slice(first, old.length - same)),
      ...marked('+', fresh.slice(first, fresh.length - same)),
      ...marked(' ', old.slice(old.length - same, old.length - beyond)),
    ],
  };
  const names = { oldFileName: 'a', newFileName: 'b', oldHeader: undefined, newHeader: undefined };
  return formatPatch({ ...names, hunks: [hunk] }, OMIT_HEADERS);
}

function countWhile(max: number, holds: (index: number) => boolean): number {
  let count = 0;
  while (count < max && holds(count)) count += 1;
  return count;
}

/** With their line breaks: an open end is a difference. */
function linesOf(text: string): string[] {
  return text === '' ? [] : text.split(/(?<=\n)/);
}

function marked(mark: string, lines: readonly string[]): string[] {
  return lines.flatMap((line) => (line.endsWith('\n') ? [mark + line.slice(0, -1)] : [mark + line, OPEN_END]));
}

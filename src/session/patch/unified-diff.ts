import { createTwoFilesPatch, formatPatch, OMIT_HEADERS } from 'diff';

/** Beyond this many edits the shortest difference costs more than it is worth. */
const EDITS_MAX = 4_000;

/** The hunks alone: the file is named beside them. */
export function unifiedDiff(before: string, after: string): string {
  if (before === after) return '';
  const options = { context: 3, headerOptions: OMIT_HEADERS, maxEditLength: EDITS_MAX };
  return createTwoFilesPatch('a', 'b', before, after, undefined, undefined, options) ?? wholeDiff(before, after);
}

/** All of the one, then all of the other. */
function wholeDiff(before: string, after: string): string {
  const removed = linesOf(before);
  const added = linesOf(after);
  const hunk = {
    oldStart: 1,
    oldLines: removed.length,
    newStart: 1,
    newLines: added.length,
    lines: [...marked('-', before, removed), ...marked('+', after, added)],
  };
  const names = { oldFileName: 'a', newFileName: 'b', oldHeader: undefined, newHeader: undefined };
  return formatPatch({ ...names, hunks: [hunk] }, OMIT_HEADERS);
}

function linesOf(text: string): string[] {
  const lines = text.split('\n');
  if (lines.at(-1) === '') lines.pop();
  return lines;
}

function marked(mark: string, text: string, lines: readonly string[]): string[] {
  const open = lines.length > 0 && !text.endsWith('\n');
  return [...lines.map((line) => mark + line), ...(open ? ['\\ No newline at end of file'] : [])];
}

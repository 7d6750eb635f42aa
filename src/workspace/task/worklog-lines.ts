import type { WorklogEntry } from '../../contracts/generated/types/worklog-entry.js';
import { worklogEntry } from '../../contracts/operator/worklog-entry.js';
import { check } from '../../contracts/shared/contract.js';
import { readJson } from '../../contracts/shared/read-json.js';
import type { Scrub } from '../../engine/scrub.js';

const LINES_MAX = 1_000;
const WARNINGS_MAX = 5;

export type WorklogLines = { lines: string[]; last: WorklogEntry | null; warnings: string[] };

/** The entries among what an agent wrote, without secrets. What is none is left out, and said. */
export function worklogLines(text: string, of: { run_id: string; task_id: string }, scrub: Scrub): WorklogLines {
  const written = text.split('\n').filter((line) => line.trim() !== '');
  const lines: string[] = [];
  const warnings: string[] = [];
  let last: WorklogEntry | null = null;
  for (const [index, line] of written.slice(0, LINES_MAX).entries()) {
    const read = readEntry(line, of, scrub);
    if ('reason' in read)
      warnings.push(`line ${index + 1} of what was added to the worklog was left out: ${read.reason}`);
    else {
      lines.push(read.text);
      last = read.entry;
    }
  }
  if (written.length > LINES_MAX) warnings.unshift(`of the worklog only ${LINES_MAX} lines were kept`);
  const more = warnings.length - WARNINGS_MAX;
  if (more > 0) warnings.splice(WARNINGS_MAX, more, `${more} more lines of the worklog were left out`);
  return { lines, last, warnings };
}

function readEntry(
  line: string,
  of: { run_id: string; task_id: string },
  scrub: Scrub,
): { text: string; entry: WorklogEntry } | { reason: string } {
  const read = readJson(line);
  if ('denial' in read) return read.denial;
  if (typeof read.value !== 'object' || read.value === null) return { reason: 'it is no object' };
  const { text } = scrub.json(read.value);
  const entry = JSON.parse(text) as WorklogEntry;
  const verdict = check(worklogEntry, entry);
  if (!verdict.allow) return verdict;
  const other = (['run_id', 'task_id'] as const).find((field) => entry[field] !== of[field]);
  return other ? { reason: `its ${other} is another one` } : { text, entry };
}

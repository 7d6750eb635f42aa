import type { BoardRow } from '../../contracts/api/ledger-shapes.js';
import type { BoardTask } from './task-note.js';

/** What a line of the axis may count, in milliseconds, from fine to coarse. */
const SECOND = 1_000;
const MINUTE = 60_000;
const HOUR = 3_600_000;
const DAY = 86_400_000;
const STEPS = [
  ...[1, 2, 5, 10, 15, 30].map((count) => count * SECOND),
  ...[1, 2, 5, 10, 15, 30].map((count) => count * MINUTE),
  ...[1, 2, 3, 6, 12].map((count) => count * HOUR),
  ...[1, 2, 7, 30, 365].map((count) => count * DAY),
];
const MARK_APART = 9;
const END_APART = 5;

type Span = { fromMs: number; toMs: number };

/** Bars over a common axis: `#` at work, `>` still at it, `x` where an attempt failed. */
export function ganttLines(
  tasks: readonly BoardTask[],
  span: Span,
  { label, width }: { label: number; width: number },
): string[] {
  const begun = tasks.filter(({ row }) => row.attempts.length > 0);
  const columns = width - label - 1;
  if (begun.length === 0 || columns < 2 * MARK_APART || span.toMs <= span.fromMs) return [];
  const axis = axisLine(span.toMs - span.fromMs, columns);
  const bars = begun.map(({ row }) =>
    `${row.task_id.slice(0, label).padEnd(label)} ${barOf(row, span, columns)}`.trimEnd(),
  );
  return [`${' '.repeat(label + 1)}${axis}`, ...bars];
}

function barOf({ attempts }: BoardRow, { fromMs, toMs }: Span, columns: number): string {
  const cells = new Array<string>(columns).fill(' ');
  const column = (ms: number): number => {
    const share = (ms - fromMs) / (toMs - fromMs);
    return Math.max(0, Math.min(columns - 1, Math.floor(share * columns)));
  };
  for (const { from, to, end } of attempts) {
    const first = column(Date.parse(from));
    // What lasted until now ends where the axis ends.
    const last = Math.max(first, to === null ? columns - 1 : column(Date.parse(to) - 1));
    cells.fill('#', first, last + 1);
    if (to === null) cells[last] = '>';
    else if (end !== 'done') cells[last] = 'x';
  }
  return cells.join('');
}

/** Round numbers as far apart as they can be read, and the whole time with its unit at the end. */
function axisLine(totalMs: number, columns: number): string {
  const [unitMs, unit] = unitOf(totalMs);
  const end = `${round(totalMs / unitMs)} ${unit}`;
  const room = columns - end.length;
  const stepMs = STEPS.find((step) => step >= unitMs && (step / totalMs) * columns >= MARK_APART) ?? totalMs;
  let line = '';
  for (let ms = 0; ms < totalMs; ms += stepMs) {
    const at = Math.floor((ms / totalMs) * columns);
    const label = round(ms / unitMs);
    if (at + label.length + END_APART > room) break;
    line = line.padEnd(at) + label;
  }
  return line.padEnd(room) + end;
}

function unitOf(totalMs: number): [number, string] {
  if (totalMs < 2 * MINUTE) return [SECOND, 's'];
  if (totalMs < 3 * HOUR) return [MINUTE, 'min'];
  return totalMs < 3 * DAY ? [HOUR, 'h'] : [DAY, 'd'];
}

/** Down, as every age is told. */
function round(value: number): string {
  return String(value < 10 ? Math.floor(value * 10) / 10 : Math.floor(value));
}

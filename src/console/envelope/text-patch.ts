/** Beyond so many lines that differ, what is compared is not worth the time: all of it counts as changed. */
const LINES_MAX = 1_500;
const AROUND = 3;

type Step = { mark: ' ' | '-' | '+'; text: string };

/** What differs between two texts, as git would write it; empty when nothing does. */
export function textPatch(name: string, before: string, after: string): string {
  if (before === after) return '';
  const steps = stepsBetween(before.split('\n'), after.split('\n'));
  const hunks = hunksOf(steps);
  return [`diff --git a/${name} b/${name}`, ...hunks].join('\n');
}

function stepsBetween(before: readonly string[], after: readonly string[]): Step[] {
  let first = 0;
  while (first < before.length && first < after.length && before[first] === after[first]) first += 1;
  let last = 0;
  while (last < before.length - first && last < after.length - first && before.at(-1 - last) === after.at(-1 - last)) {
    last += 1;
  }
  const same = (lines: readonly string[]): Step[] => lines.map((text) => ({ mark: ' ', text }));
  return [
    ...same(before.slice(0, first)),
    ...changed(before.slice(first, before.length - last), after.slice(first, after.length - last)),
    ...same(before.slice(before.length - last)),
  ];
}

/** By the longest list of lines that both have in common. */
function changed(before: readonly string[], after: readonly string[]): Step[] {
  if (before.length > LINES_MAX || after.length > LINES_MAX) {
    return [...before.map((text): Step => ({ mark: '-', text })), ...after.map((text): Step => ({ mark: '+', text }))];
  }
  const width = after.length + 1;
  const common = new Uint16Array((before.length + 1) * width);
  const at = (row: number, column: number): number => common[row * width + column] ?? 0;
  for (let row = before.length - 1; row >= 0; row -= 1) {
    for (let column = after.length - 1; column >= 0; column -= 1) {
      common[row * width + column] =
        before[row] === after[column]
          ? at(row + 1, column + 1) + 1
          : Math.max(at(row + 1, column), at(row, column + 1));
    }
  }
  const steps: Step[] = [];
  let [row, column] = [0, 0];
  while (row < before.length || column < after.length) {
    const [old = '', fresh = ''] = [before[row], after[column]];
    if (row < before.length && column < after.length && old === fresh) {
      steps.push({ mark: ' ', text: old });
      row += 1;
      column += 1;
    } else if (column >= after.length || (row < before.length && at(row + 1, column) >= at(row, column + 1))) {
      steps.push({ mark: '-', text: old });
      row += 1;
    } else {
      steps.push({ mark: '+', text: fresh });
      column += 1;
    }
  }
  return steps;
}

function hunksOf(steps: readonly Step[]): string[] {
  const shown = new Set<number>();
  for (const [index, { mark }] of steps.entries()) {
    if (mark !== ' ') for (let near = index - AROUND; near <= index + AROUND; near += 1) shown.add(near);
  }
  const lines: string[] = [];
  let [before, after] = [1, 1];
  for (const [index, { mark, text }] of steps.entries()) {
    if (shown.has(index)) {
      if (!shown.has(index - 1) || index === 0) lines.push(`@@ -${before} +${after} @@`);
      lines.push(mark + text);
    }
    if (mark !== '+') before += 1;
    if (mark !== '-') after += 1;
  }
  return lines;
}

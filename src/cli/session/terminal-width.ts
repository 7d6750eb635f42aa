const WIDTH_MAX = 100;
const WIDTH_DEFAULT = 80;

/** Columns that text may fill: the terminal's as it is now, but no more than can be read well. */
export function terminalWidth(): number {
  const columns = process.stdout.columns ?? process.stderr.columns ?? WIDTH_DEFAULT;
  return Math.min(columns - 1, WIDTH_MAX);
}

const LINE_CHARS_MAX = 200;

/** One line as evidence shows it; not cut inside a character. */
export function shortLine(line: string): string {
  const trimmed = line.trim();
  if (trimmed.length <= LINE_CHARS_MAX) return trimmed;
  return `${trimmed.slice(0, LINE_CHARS_MAX - 1).replace(/[\ud800-\udbff]$/, '')}…`;
}

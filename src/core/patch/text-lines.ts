/** A file as lines, with all that is needed to write it back as it was: line ends, the last one, the byte order mark. */
export type TextLines = {
  bom: string;
  lines: readonly string[];
  /** One per line; the last may be empty. */
  ends: readonly string[];
  /** What new lines end with: the end that most lines have. */
  usualEnd: '\n' | '\r\n';
};

const BOM = '\uFEFF';

export function splitLines(text: string): TextLines {
  const bom = text.startsWith(BOM) ? BOM : '';
  const parts = text.slice(bom.length).split('\n');
  const rest = parts.pop() ?? '';
  const ends: string[] = parts.map((part) => (part.endsWith('\r') ? '\r\n' : '\n'));
  const lines = parts.map((part, index) => (ends[index] === '\r\n' ? part.slice(0, -1) : part));
  const windows = ends.filter((end) => end === '\r\n').length;
  if (rest !== '') {
    lines.push(rest);
    ends.push('');
  }
  return { bom, lines, ends, usualEnd: windows * 2 > parts.length ? '\r\n' : '\n' };
}

/** Ends with a line break exactly when the former text did; a text that was empty gets one. */
export function joinLines(former: TextLines, lines: readonly string[], ends: readonly string[]): string {
  const closed = former.ends.at(-1) !== '';
  const last = lines.length - 1;
  const body = lines.map((line, index) => {
    const end = ends[index] || former.usualEnd;
    return index === last && !closed ? line : line + end;
  });
  return former.bom + body.join('');
}

/** Breaks at spaces; gaps inside a line are kept, so that columns stay columns. A longer word keeps its own line. */
export function wrapText(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const [, gap = '', word = ''] of text.matchAll(/(\s*)(\S+)/gu)) {
    if (line === '') line = word;
    else if ([...line].length + gap.length + [...word].length <= width) line += gap + word;
    else {
      lines.push(line);
      line = word;
    }
  }
  return line === '' ? lines : [...lines, line];
}

/** One line of the text that was sent, without its line break. Numbers count from 1 in that text. */
export type NumberedLine = { number: number; text: string };

const FENCE = /^(`{3,})[\w-]*$/;
const HEREDOC = /^(?:apply_?patch\s*)?<<-?\s*(['"]?)(\w+)\1$/;
/** A fence around a heredoc is as deep as it gets. */
const WRAPPERS_MAX = 2;

/** The lines of a patch without what models put around it: blank lines, a code fence, a heredoc. */
export function unwrapPatch(text: string): readonly NumberedLine[] {
  let lines = withoutBlankEnds(
    text
      .split('\n')
      .map((line, index) => ({ number: index + 1, text: line.endsWith('\r') ? line.slice(0, -1) : line })),
  );
  for (let depth = 0; depth < WRAPPERS_MAX && isWrapped(lines); depth += 1)
    lines = withoutBlankEnds(lines.slice(1, -1));
  return lines;
}

function isWrapped(lines: readonly NumberedLine[]): boolean {
  const first = lines[0]?.text.trim() ?? '';
  const last = lines.at(-1)?.text.trim();
  const closing = FENCE.exec(first)?.[1] ?? HEREDOC.exec(first)?.[2];
  return lines.length > 1 && closing !== undefined && last === closing;
}

function withoutBlankEnds(lines: readonly NumberedLine[]): readonly NumberedLine[] {
  const first = lines.findIndex(isWritten);
  return first < 0 ? [] : lines.slice(first, lines.findLastIndex(isWritten) + 1);
}

function isWritten({ text }: NumberedLine): boolean {
  return text.trim() !== '';
}

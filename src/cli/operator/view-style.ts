/** How text is laid out for whoever reads it; commands take it from their terminal. */
export type ViewStyle = {
  /** Columns that may be filled. */
  readonly width: number;
  readonly colour: boolean;
  readonly utf8: boolean;
};

/** Signs of our own that not every terminal has; each is replaced by something as wide. */
const ASCII: Readonly<Record<string, string>> = { '·': ',', '–': '-', '…': '~', '→': '>', '≥': '>', '≤': '<' };

/** Lines for a terminal without UTF-8: whatever else is not ASCII was said by somebody else and becomes `?`. */
export function inStyle(lines: readonly string[], { utf8 }: ViewStyle): string[] {
  if (utf8) return [...lines];
  // biome-ignore lint/suspicious/noControlCharactersInRegex: colours stay as they are
  return lines.map((line) => line.replaceAll(' ·', ',').replace(/[^\u0000-\u007f]/gu, (sign) => ASCII[sign] ?? '?'));
}

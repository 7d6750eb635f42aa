export const LINE_LENGTH_MAX = 2_000;

/** Characters that are not seen, or that turn what is around them: controls, directions, widths of nothing, tags. */
const UNSEEN =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\u{e0000}-\u{e007f}]/gu;

/** The same with every character that hides or turns text written as its number. */
export function shownText(text: string): string {
  return text.replace(UNSEEN, (one) => {
    const code = (one.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
    return `⟨U+${code}⟩`;
  });
}

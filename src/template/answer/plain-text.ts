/** What moves a cursor, hides text or reorders it, in several lines. */
const HIDDEN_IN_TEXT =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters to take away
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]|[\u{e0000}-\u{e007f}]/gu;

export function plainText(text: string): string {
  return text.replaceAll('\r\n', '\n').replace(HIDDEN_IN_TEXT, '');
}

/** The same as one line. */
export function plainLine(text: string): string {
  return plainText(text.replace(/\s/g, ' ')).replace(/ {2,}/g, ' ').trim();
}

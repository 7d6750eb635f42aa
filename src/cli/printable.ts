/**
 * Text from outside, made safe for a terminal: escapes, control, direction and tag characters become visible
 * replacements, so that nothing an agent wrote can move the cursor, recolour, or reorder what a person reads. What joins
 * emoji to one stays between emoji, where it hides nothing.
 */
export function printable(text: string): string {
  return text.replace(UNSAFE, (unit) => (unit === '\n' || unit === '\t' ? ' ' : '\ufffd'));
}

const UNSAFE =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters to replace
  /[\u0000-\u001f\u007f-\u009f\u061c\u200b\u200c\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff]|[\u{e0000}-\u{e007f}]|[\ud800-\udfff]|(?<!\p{Extended_Pictographic}[\ufe0f\u{1f3fb}-\u{1f3ff}]?)\u200d|\u200d(?!\p{Extended_Pictographic})/gu;

/** JSON that is safe on a terminal too: the same value, with those characters written as escapes. */
export function printableJson(value: unknown): string {
  return JSON.stringify(value).replace(UNSAFE, (unit) =>
    Array.from(
      { length: unit.length },
      (_, index) => `\\u${unit.charCodeAt(index).toString(16).padStart(4, '0')}`,
    ).join(''),
  );
}

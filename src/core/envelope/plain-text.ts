/** Text of others as it can stand in an event or an envelope: short, whole characters, nothing that no reader of JSON takes. */
export function plainText(text: string, lengthMax: number): string {
  // A pair that is cut in two leaves half of it, which is replaced as well.
  return text.slice(0, lengthMax).replace(NOT_PLAIN, '\uFFFD');
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const NOT_PLAIN = /[\u0000-\u0008\u000B\u000C\u000E-\u001F]|\p{Surrogate}/gu;

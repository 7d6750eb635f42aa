const ESCAPES =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters to take away
  /\u001b\[[0-?]*[ -/]*[@-~]|\u001b\][^\u0007\u001b]*(?:\u0007|\u001b\\)|[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g;

/** Without what moves a cursor or changes colours. */
export function plainText(line: string): string {
  return line.replace(ESCAPES, '').replaceAll('\t', ' ');
}

const PLAIN = /^[\w@%+=:,./-]+$/;

/** A text as one word of a shell. */
export function quoted(text: string): string {
  return PLAIN.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

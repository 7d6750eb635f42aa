const BYTES_PER_TOKEN = 4;

/** About: every model counts in its own way. */
export function tokensOf(text: string): number {
  return Math.ceil(Buffer.byteLength(text) / BYTES_PER_TOKEN);
}

/** At most so many bytes, to the end of a line where there is one. */
export function truncated(text: string, bytesMax: number): { text: string; cut: boolean } {
  const bytes = Buffer.from(text);
  if (bytes.length <= bytesMax) return { text, cut: false };
  const head = bytes
    .subarray(0, bytesMax)
    .toString('utf8')
    .replace(/\ufffd{1,3}$/, '');
  const end = head.lastIndexOf('\n');
  return { text: end > 0 ? head.slice(0, end) : head, cut: true };
}

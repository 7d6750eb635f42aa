/** What a model is told about one call. */
const TOLD_BYTES_MAX = 32 * 1024;

/** The beginning and the end of a long text, with a line that says how much is missing between them. */
export function boundedText(text: string, bytesMax = TOLD_BYTES_MAX): string {
  const bytes = Buffer.from(text, 'utf8');
  if (bytes.length <= bytesMax) return text;
  const half = Math.floor(bytesMax / 2);
  const head = bytes.subarray(0, endOfCharacter(bytes, half));
  const tail = bytes.subarray(endOfCharacter(bytes, bytes.length - half));
  const missing = bytes.length - head.length - tail.length;
  return `${head.toString('utf8')}\n[${missing} bytes left out]\n${tail.toString('utf8')}`;
}

/** The next place at or behind `at` where a character begins. */
function endOfCharacter(bytes: Buffer, at: number): number {
  let place = at;
  while (place < bytes.length && ((bytes[place] ?? 0) & 0xc0) === 0x80) place += 1;
  return place;
}

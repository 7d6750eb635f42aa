const LINE_FEED = 0x0a;

/** A body of many: `application/x-ndjson`. */
export class Lines {
  readonly text: string;
  private readonly bytes: Uint8Array;

  constructor(bytes: Buffer) {
    this.bytes = bytes;
    this.text = bytes.toString('latin1');
  }

  /** The last one counts even without a line feed. */
  *each(): Iterable<{ line: number; bytes: Uint8Array }> {
    let [line, start] = [1, 0];
    while (start < this.bytes.length) {
      const found = this.bytes.indexOf(LINE_FEED, start);
      const end = found === -1 ? this.bytes.length : found;
      yield { line, bytes: this.bytes.subarray(start, end) };
      start = end + 1;
      line += 1;
    }
  }
}

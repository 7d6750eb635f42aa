import { BatonError } from '../contracts/shared/errors.js';
import { LINE_BYTES_MAX } from '../engine/session/read-submission.js';

const LINE_FEED = 0x0a;

/**
 * Bytes in any pieces become lines, split at line feeds alone: U+2028 and a bare carriage return are part of a line. A
 * line that is too long is skipped up to its end, and told as a problem.
 */
export class LineReader {
  private parts: Uint8Array[] = [];
  private bytes = 0;

  *push(chunk: Uint8Array): Generator<Uint8Array | BatonError> {
    let start = 0;
    for (let end = chunk.indexOf(LINE_FEED); end !== -1; end = chunk.indexOf(LINE_FEED, start)) {
      this.keep(chunk.subarray(start, end));
      start = end + 1;
      yield this.finish();
    }
    this.keep(chunk.subarray(start));
  }

  /** The last line counts without a line feed too: an object that is whole says so itself. */
  *end(): Generator<Uint8Array | BatonError> {
    if (this.bytes > 0) yield this.finish();
  }

  private keep(part: Uint8Array): void {
    this.bytes += part.length;
    if (this.bytes > LINE_BYTES_MAX) this.parts = [];
    else if (part.length > 0) this.parts.push(part);
  }

  private finish(): Uint8Array | BatonError {
    const [first, ...more] = this.parts;
    const { bytes } = this;
    this.parts = [];
    this.bytes = 0;
    if (bytes > LINE_BYTES_MAX) {
      const limit = { bytes, bytes_max: LINE_BYTES_MAX };
      return new BatonError('PAYLOAD_TOO_LARGE', `the line has ${bytes} bytes`, limit);
    }
    if (!first) return new Uint8Array();
    return more.length === 0 ? first : Buffer.concat([first, ...more]);
  }
}

import { BatonError } from '../contracts/shared/errors.js';
import { LINE_BYTES_MAX } from '../engine/session/read-submission.js';

const LINE_FEED = 0x0a;

/**
 * Bytes in any pieces become lines, split at line feeds alone: U+2028 and a bare carriage return are part of a line. A
 * line that is too long is skipped up to its end, and told as a problem.
 */
export class LineReader {
  private held = Buffer.alloc(0);
  private bytes = 0;

  *push(chunk: Uint8Array): Generator<Uint8Array | BatonError> {
    let start = 0;
    for (let end = chunk.indexOf(LINE_FEED); end !== -1; end = chunk.indexOf(LINE_FEED, start)) {
      const part = chunk.subarray(start, end);
      start = end + 1;
      yield this.bytes === 0 && part.length <= LINE_BYTES_MAX ? part : this.finish(part);
    }
    this.keep(chunk.subarray(start));
  }

  /** The last line counts without a line feed too: an object that is whole says so itself. */
  *end(): Generator<Uint8Array | BatonError> {
    if (this.bytes > 0) yield this.finish(new Uint8Array());
  }

  /** Grown by doubling: whoever sends byte by byte must not cost an object for each. */
  private keep(part: Uint8Array): void {
    const bytes = this.bytes + part.length;
    if (bytes > LINE_BYTES_MAX) this.held = Buffer.alloc(0);
    else {
      if (bytes > this.held.length) {
        const larger = Buffer.allocUnsafe(Math.max(bytes, 2 * this.held.length));
        this.held.copy(larger, 0, 0, this.bytes);
        this.held = larger;
      }
      this.held.set(part, this.bytes);
    }
    this.bytes = bytes;
  }

  private finish(last: Uint8Array): Uint8Array | BatonError {
    this.keep(last);
    const { held, bytes } = this;
    this.held = Buffer.alloc(0);
    this.bytes = 0;
    if (bytes <= LINE_BYTES_MAX) return held.subarray(0, bytes);
    const limit = { bytes, bytes_max: LINE_BYTES_MAX };
    return new BatonError('PAYLOAD_TOO_LARGE', `the line has ${bytes} bytes`, limit);
  }
}

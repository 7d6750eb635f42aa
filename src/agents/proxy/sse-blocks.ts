/**
 * Cuts a stream of server-sent events where events end, whatever the chunks they come in.
 *
 * B1  Every byte goes out again, in order: in a block of whole events, or at last in `rest`.
 * B2  An event is kept until it is whole, so that something else can be said between two; one that is longer than
 *     EVENT_BYTES_MAX goes out in pieces.
 * B3  Time is linear: what was searched is not searched again.
 */

const EVENT_BYTES_MAX = 16 * 1024 * 1024;
const NEWLINE = 0x0a;
const RETURN = 0x0d;
/** Of "\n\r\n", all but the last byte may have come before. */
const SEAM_BYTES = 2;
const NOTHING = Buffer.alloc(0);

/** Of one buffer no copy is made. */
export function joined(buffers: readonly Buffer[]): Buffer {
  const [only = NOTHING] = buffers;
  return buffers.length <= 1 ? only : Buffer.concat(buffers);
}

export type Block = { bytes: Buffer /** Whole events, from the first byte to the last. */; whole: boolean };

export class SseBlocks {
  #held: Buffer[] = [];
  #heldBytes = 0;
  /** The last bytes since the last event ended, held or gone out. */
  #seam: Buffer = NOTHING;
  #insideLong = false;

  /** Whether the bytes that went out end where an event ends. */
  get atBoundary(): boolean {
    return !this.#insideLong;
  }

  add(chunk: Buffer): Block | null {
    const end = this.#lastEventEnd(chunk);
    const after = end === chunk.length ? NOTHING : chunk.subarray(end);
    this.#seam = (end === 0 ? joined([this.#seam, after.subarray(-SEAM_BYTES)]) : after).subarray(-SEAM_BYTES);
    if (end === 0) return this.#hold(chunk);
    const bytes = joined([...this.#held, after === NOTHING ? chunk : chunk.subarray(0, end)]);
    this.#held = after.length > 0 ? [after] : [];
    this.#heldBytes = after.length;
    const whole = !this.#insideLong;
    this.#insideLong = false;
    return { bytes, whole };
  }

  /** What is left when the stream has ended. */
  rest(): Buffer {
    const rest = joined(this.#held);
    this.#held = [];
    this.#heldBytes = 0;
    return rest;
  }

  #hold(chunk: Buffer): Block | null {
    this.#held.push(chunk);
    this.#heldBytes += chunk.length;
    if (this.#heldBytes <= EVENT_BYTES_MAX && !this.#insideLong) return null;
    this.#insideLong = true;
    return { bytes: this.rest(), whole: false };
  }

  /** Behind the last blank line that ends in this chunk; 0 when none does. */
  #lastEventEnd(chunk: Buffer): number {
    const before = this.#seam.length;
    const searched = before === 0 ? chunk : Buffer.concat([this.#seam, chunk]);
    let at = searched.lastIndexOf(NEWLINE);
    while (at >= before) {
      const lineEnd = searched[at - 1] === RETURN ? at - 2 : at - 1;
      if (searched[lineEnd] === NEWLINE) return at + 1 - before;
      if (at === 0) return 0;
      at = searched.lastIndexOf(NEWLINE, at - 1);
    }
    return 0;
  }
}

const DATA = 'data:';

/** The data of each event in a block of whole events; more than one line of it is joined. */
export function* eventData(block: Buffer): Generator<string> {
  // Decoded at once: many small calls into Node cost more than all the rest.
  const text = block.toString();
  let data: string | undefined;
  for (let start = 0; start < text.length; ) {
    const newline = text.indexOf('\n', start);
    const stop = newline === -1 ? text.length : newline;
    const end = stop > start && text.charCodeAt(stop - 1) === RETURN ? stop - 1 : stop;
    if (end === start) {
      if (data !== undefined) yield data;
      data = undefined;
    } else if (text.startsWith(DATA, start)) {
      const line = text.slice(start + DATA.length, end);
      data = data === undefined ? line : `${data}\n${line}`;
    }
    start = stop + 1;
  }
}

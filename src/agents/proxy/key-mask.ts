import { NEEDLE_LENGTH_MIN } from '../../engine/scrub/value-finder.js';

const STAR = 0x2a;
const NOTHING = Buffer.alloc(0);

/** Blots a key out of a stream, also where it lies across two chunks. What is blotted out keeps its length. */
export class KeyMask {
  readonly #key: Buffer;
  #held: Buffer = NOTHING;

  constructor(key: string) {
    // Shorter ones stand for "no key" with local models, and would be found inside ordinary words.
    this.#key = key.length < NEEDLE_LENGTH_MIN ? NOTHING : Buffer.from(key);
  }

  /** The chunk is changed in place. An end that may be the beginning of the key is kept back. */
  add(chunk: Buffer): Buffer {
    if (this.#key.length === 0) return chunk;
    const bytes = this.#held.length === 0 ? chunk : Buffer.concat([this.#held, chunk]);
    for (let at = bytes.indexOf(this.#key); at !== -1; at = bytes.indexOf(this.#key, at + this.#key.length)) {
      bytes.fill(STAR, at, at + this.#key.length);
    }
    const keep = this.#begunBytes(bytes);
    this.#held = bytes.subarray(bytes.length - keep);
    return bytes.subarray(0, bytes.length - keep);
  }

  rest(): Buffer {
    const rest = this.#held;
    this.#held = NOTHING;
    return rest;
  }

  #begunBytes(bytes: Buffer): number {
    const first = this.#key[0] ?? 0;
    let at = bytes.indexOf(first, Math.max(0, bytes.length - this.#key.length + 1));
    for (; at !== -1; at = bytes.indexOf(first, at + 1)) {
      const length = bytes.length - at;
      if (bytes.compare(this.#key, 0, length, at) === 0) return length;
    }
    return 0;
  }
}

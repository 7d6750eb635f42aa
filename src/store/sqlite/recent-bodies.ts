import type { Append, Hash } from '../../engine/ports.js';

/** Bodies that were just written are read soon, as the requests of asks. The oldest go first. */
const BYTES_MAX = 8 * 1_024 * 1_024;
/** One body may not push out all others. */
const BODY_BYTES_MAX = BYTES_MAX / 8;

export class RecentBodies {
  readonly #bodies = new Map<Hash, Uint8Array>();
  #bytes = 0;

  get(sha256: Hash): Uint8Array | undefined {
    return this.#bodies.get(sha256);
  }

  /** Only what is durable may be added. */
  addAll(group: readonly Append[]): void {
    for (const { bodies } of group) for (const { sha256, bytes } of bodies) this.add(sha256, bytes);
  }

  add(sha256: Hash, bytes: Uint8Array): void {
    if (bytes.length > BODY_BYTES_MAX || this.#bodies.has(sha256)) return;
    this.#bodies.set(sha256, bytes);
    this.#bytes += bytes.length;
    for (const [oldest, { length }] of this.#bodies) {
      if (this.#bytes <= BYTES_MAX) return;
      this.#bodies.delete(oldest);
      this.#bytes -= length;
    }
  }
}

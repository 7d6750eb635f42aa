/**
 * Chunks of one turn of the event loop, handed over together at its end. A provider that writes every event by itself
 * is read many events at a time; passing on each alone costs far more than reading it.
 */
export class TurnChunks {
  readonly #take: (chunks: readonly Buffer[]) => void;
  #chunks: Buffer[] = [];

  constructor(take: (chunks: readonly Buffer[]) => void) {
    this.#take = take;
  }

  add(chunk: Buffer): void {
    if (this.#chunks.push(chunk) === 1) process.nextTick(() => this.flush());
  }

  /** Before the end of the turn. */
  flush(): void {
    if (this.#chunks.length === 0) return;
    const chunks = this.#chunks;
    this.#chunks = [];
    this.#take(chunks);
  }
}

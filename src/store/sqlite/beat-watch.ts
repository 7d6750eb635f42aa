/** A worker whose beat stood still for so long on the observer's own clock has lost its runs. */
export const SILENT_MS = 10_000;
/** Who did not look for so long may itself have slept, and must not take that for the silence of others. */
export const UNWATCHED_MS_MAX = 5_000;

/** Remembers when each worker's beat counter was last seen to move. Only the observer's monotonic clock counts. */
export class BeatWatch {
  readonly #seen = new Map<string, { beat: number; sinceMs: number }>();
  #lookedMs = Number.NEGATIVE_INFINITY;

  /** Looks at all workers there are and says which are silent, with the beat each stopped at. */
  silent(workers: readonly { id: string; beat: number }[], nowMs: number): Map<string, number> {
    if (nowMs - this.#lookedMs > UNWATCHED_MS_MAX) this.#seen.clear();
    this.#lookedMs = nowMs;
    const present = new Set(workers.map(({ id }) => id));
    for (const id of this.#seen.keys()) if (!present.has(id)) this.#seen.delete(id);
    const silent = new Map<string, number>();
    for (const { id, beat } of workers) {
      const last = this.#seen.get(id);
      if (last?.beat !== beat) this.#seen.set(id, { beat, sinceMs: nowMs });
      else if (nowMs - last.sinceMs >= SILENT_MS) silent.set(id, beat);
    }
    return silent;
  }
}

import type { Clock, EventStore, WorkerRow } from '../../engine/ports.js';

const LOOK_MS = 2_500;
/** As long as the store waits before it gives its runs to others. */
const SILENT_MS = 10_000;

export type SeenWorker = WorkerRow & { alive: boolean };

/** Sees which workers live by their beats, on this process's own clock. Who was not watched long enough counts as alive. */
export class WorkerWatch {
  private readonly around: { store: EventStore; clock: Clock };
  private readonly seen = new Map<string, { beat: number | null; sinceMs: number }>();
  private workers: readonly WorkerRow[] = [];
  private cancel: () => void;
  private closed = false;

  constructor(around: { store: EventStore; clock: Clock }) {
    this.around = around;
    this.cancel = around.clock.after(0, () => void this.again());
  }

  async list(): Promise<readonly SeenWorker[]> {
    await this.look();
    const nowMs = this.around.clock.monotonicMs();
    return this.workers.map((worker) => {
      const { sinceMs = nowMs } = this.seen.get(worker.worker) ?? {};
      return { ...worker, alive: worker.beat !== null && nowMs - sinceMs < SILENT_MS };
    });
  }

  close(): void {
    this.closed = true;
    this.cancel();
  }

  private async look(): Promise<void> {
    const { store, clock } = this.around;
    this.workers = await store.workers();
    const there = new Set(this.workers.map(({ worker }) => worker));
    for (const id of this.seen.keys()) if (!there.has(id)) this.seen.delete(id);
    for (const { worker, beat } of this.workers) {
      if (this.seen.get(worker)?.beat !== beat) this.seen.set(worker, { beat, sinceMs: clock.monotonicMs() });
    }
  }

  private async again(): Promise<void> {
    await this.look().catch(() => {});
    if (!this.closed) this.cancel = this.around.clock.after(LOOK_MS, () => void this.again());
  }
}

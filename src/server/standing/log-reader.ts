import type { Clock, EventRow, EventStore } from '../../engine/ports.js';

const PAGE = 500;
const LOOK_MS = 500;

/** Reads the log once from its beginning, and then what is new in it; page by page, so that nobody waits for it. */
export class LogReader {
  private readonly around: { store: EventStore; clock: Clock };
  private readonly see: (row: EventRow) => void;
  private readonly unsubscribe: () => void;
  private position = 0;
  private reading: Promise<void> = Promise.resolve();
  private cancel: (() => void) | undefined;
  private closed = false;

  constructor(around: { store: EventStore; clock: Clock }, see: (row: EventRow) => void) {
    this.around = around;
    this.see = see;
    this.unsubscribe = around.store.onCommit(() => this.soon());
    this.soon();
  }

  /** Resolves when everything was seen that there is now. */
  caughtUp(): Promise<void> {
    this.reading = this.reading.then(() => this.read()).catch(() => {});
    return this.reading;
  }

  close(): void {
    this.closed = true;
    this.unsubscribe();
    this.cancel?.();
  }

  private soon(): void {
    this.cancel ??= this.around.clock.after(LOOK_MS, () => {
      this.cancel = undefined;
      void this.caughtUp();
    });
  }

  private async read(): Promise<void> {
    while (!this.closed) {
      await new Promise((resolve) => setImmediate(resolve));
      const rows = await this.around.store.feed(this.position, PAGE);
      for (const row of rows) this.see(row);
      this.position = rows.at(-1)?.position ?? this.position;
      if (rows.length < PAGE) return;
    }
  }
}

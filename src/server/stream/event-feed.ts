import type { EventRow, EventStore } from '../../engine/ports.js';
import { eventObject } from '../../engine/shown/event-object.js';

/** As it goes over the wire, made once for all who listen. */
export type Line = { position: number; run: string; text: string };

const PAGE = 500;
/** Whoever is further behind than this reads from the store. */
const KEPT_MAX = 5_000;

/**
 * Reads new events once for all who listen. Commits of other processes are seen like one's own; whoever comes late or
 * is slow reads what it missed from the store and then joins.
 */
export class EventFeed {
  private readonly store: EventStore;
  private kept: Line[] = [];
  private position = 0;
  private reading: Promise<void> = Promise.resolve();
  private readonly listeners = new Set<() => void>();
  private readonly unsubscribe: () => void;

  constructor(store: EventStore) {
    this.store = store;
    this.unsubscribe = store.onCommit(() => this.look());
  }

  async start(): Promise<void> {
    this.position = await this.store.position();
  }

  /** Behind a position, at most a page, of all runs or of one. `upTo` is how far that looked. */
  async behind(after: number, run: string | undefined): Promise<{ lines: readonly Line[]; upTo: number }> {
    const first = this.kept[0]?.position ?? this.position + 1;
    if (after >= first - 1) {
      const lines = this.kept.slice(Math.max(0, after - first + 1));
      const upTo = Math.max(after, this.position);
      return { lines: run === undefined ? lines : lines.filter((line) => line.run === run), upTo };
    }
    const rows = await this.store.feed(after, PAGE);
    const lines = rows.map(lineOf).filter((line) => run === undefined || line.run === run);
    return { lines, upTo: rows.at(-1)?.position ?? after };
  }

  /** Resolves when there may be something behind a position, or when the signal says stop. */
  more(after: number, signal: AbortSignal): Promise<void> {
    if (after < this.position || signal.aborted) return Promise.resolve();
    return new Promise((resolve) => {
      const wake = (): void => {
        this.listeners.delete(wake);
        signal.removeEventListener('abort', wake);
        resolve();
      };
      this.listeners.add(wake);
      signal.addEventListener('abort', wake);
    });
  }

  close(): void {
    this.unsubscribe();
    this.wakeAll();
  }

  private look(): void {
    this.reading = this.reading.then(() => this.read()).catch(() => {});
  }

  private async read(): Promise<void> {
    for (;;) {
      const rows = await this.store.feed(this.position, PAGE);
      if (rows.length === 0) return;
      this.kept = [...this.kept, ...rows.map(lineOf)].slice(-KEPT_MAX);
      this.position = rows.at(-1)?.position ?? this.position;
      this.wakeAll();
    }
  }

  private wakeAll(): void {
    for (const wake of [...this.listeners]) wake();
  }
}

/** One line: what JSON leaves unescaped never breaks it. */
function lineOf(row: EventRow): Line {
  const data = JSON.stringify(eventObject(row));
  return { position: row.position, run: row.run, text: `id: ${row.position}\ndata: ${data}\n\n` };
}

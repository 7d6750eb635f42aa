import type { EventRow, EventStore } from '../../engine/ports.js';
import { eventObject } from '../../engine/shown/event-object.js';

/** As it goes over the wire, made once for all who listen. */
export type Line = { position: number; run: string; text: string };

const PAGE = 100;
/** Whoever is further behind than this reads from the store. */
const KEPT_MAX = 5_000;
const KEPT_LENGTH_MAX = 16 * 1024 * 1024;

/**
 * Reads new events once for all who listen. Commits of other processes are seen like one's own; whoever comes late or
 * is slow reads what it missed from the store and then joins.
 */
export class EventFeed {
  private readonly store: EventStore;
  private readonly see: (row: EventRow) => void;
  private kept: Line[] = [];
  private keptLength = 0;
  private position = 0;
  private reading: Promise<void> = Promise.resolve();
  private readonly listeners = new Set<() => void>();
  private readonly unsubscribe: () => void;

  /** `see` gets every new event once. */
  constructor(store: EventStore, see: (row: EventRow) => void = () => {}) {
    this.store = store;
    this.see = see;
    this.unsubscribe = store.onCommit(() => this.look());
  }

  async start(): Promise<void> {
    this.position = await this.store.position();
  }

  /** Behind a position, at most a page, of all runs or of one. `upTo` is how far that looked. */
  async behind(after: number, run: string | undefined): Promise<{ lines: readonly Line[]; upTo: number }> {
    const first = this.kept[0]?.position ?? this.position + 1;
    if (after >= first - 1) {
      const lines = this.kept.slice(after - first + 1, after - first + 1 + PAGE);
      const upTo = lines.at(-1)?.position ?? after;
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
      rows.forEach(this.see);
      this.keep(rows.map(lineOf));
      this.position = rows.at(-1)?.position ?? this.position;
      this.wakeAll();
    }
  }

  /** The older half is let go at once, so that this is not work for every event. */
  private keep(lines: readonly Line[]): void {
    this.kept.push(...lines);
    for (const { text } of lines) this.keptLength += text.length;
    while (this.kept.length > KEPT_MAX || this.keptLength > KEPT_LENGTH_MAX) {
      const gone = this.kept.splice(0, Math.ceil(this.kept.length / 2));
      for (const { text } of gone) this.keptLength -= text.length;
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

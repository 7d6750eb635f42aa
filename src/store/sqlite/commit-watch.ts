import { type FSWatcher, watch } from 'node:fs';

/**
 * Tells listeners of commits, this process's own at once and others' soon.
 *
 * N1 `data_version` is read before the position it is notified with, so no commit falls between two looks.
 * N2 A watch on the WAL file only ends idleness: it fires before the commit can be seen, so looking goes on after it.
 *    Only while idle is there one: it fires for every page that is written.
 */
const BUSY_POLL_MS = 5;
const IDLE_POLL_MS = 50;
/** Without a commit for so long it is idle. */
const IDLE_AFTER_MS = 1_000;

type Source = { dataVersion(): number; position(): number };

export class CommitWatch {
  readonly #source: Source;
  readonly #wal: string;
  readonly #listeners = new Set<(position: number) => void>();
  #watcher: FSWatcher | undefined;
  #timer: NodeJS.Timeout | undefined;
  #dataVersion = -1;
  #position = 0;
  #lastSignMs = 0;

  constructor(source: Source, wal: string) {
    this.#source = source;
    this.#wal = wal;
  }

  listen(wake: (position: number) => void): () => void {
    const listener = (position: number): void => wake(position); // the same function may listen twice
    this.#listeners.add(listener);
    if (this.#listeners.size === 1) this.#start();
    return () => {
      this.#listeners.delete(listener);
      if (this.#listeners.size === 0) this.stop();
    };
  }

  /** After a commit of this process, with the position it ended at, if that is known. */
  committed(position?: number): void {
    if (this.#listeners.size === 0) return;
    if (position === undefined || position < this.#position) {
      this.#look({ always: true });
    } else {
      this.#position = position;
      this.#tell();
    }
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#stopWatching();
    this.#listeners.clear();
  }

  #start(): void {
    this.#dataVersion = this.#source.dataVersion();
    this.#lastSignMs = performance.now();
    this.#schedule();
  }

  #watchWal(): FSWatcher | undefined {
    try {
      const watcher = watch(this.#wal, { persistent: false }, () => this.#leaveIdle());
      watcher.on('error', () => watcher.close()); // polling alone is slower to leave idleness, nothing more
      return watcher;
    } catch {
      return undefined; // likewise, where the system has no watches left
    }
  }

  #leaveIdle(): void {
    this.#stopWatching();
    this.#lastSignMs = performance.now();
    if (this.#listeners.size > 0) this.#schedule();
  }

  #stopWatching(): void {
    this.#watcher?.close();
    this.#watcher = undefined;
  }

  #isIdle(): boolean {
    return performance.now() - this.#lastSignMs > IDLE_AFTER_MS;
  }

  #schedule(): void {
    const isIdle = this.#isIdle();
    if (isIdle) this.#watcher ??= this.#watchWal();
    else this.#stopWatching();
    clearTimeout(this.#timer);
    this.#timer = setTimeout(
      () => {
        this.#look({ always: false });
        if (this.#listeners.size > 0) this.#schedule();
      },
      isIdle ? IDLE_POLL_MS : BUSY_POLL_MS,
    );
  }

  #look({ always }: { always: boolean }): void {
    try {
      const version = this.#source.dataVersion();
      if (version === this.#dataVersion && !always) return;
      this.#dataVersion = version;
      this.#position = this.#source.position();
    } catch {
      // Listeners read the store when they are woken, and meet the failure there.
    }
    this.#tell();
  }

  #tell(): void {
    this.#lastSignMs = performance.now();
    const position = this.#position;
    // A listener's failure is its own: it must not reach whoever committed.
    for (const listener of this.#listeners) queueMicrotask(() => listener(position));
  }
}

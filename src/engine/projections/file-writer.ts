import type { Clock } from '../ports.js';

/** The only way projections reach the disk. */
export interface Files {
  /** Whole and durable, or not at all: a temporary file, fsync, rename, fsync of the folder. */
  replace(file: string, content: string | Uint8Array): Promise<void>;
  /** Undefined when there is none. */
  read(file: string): Promise<Uint8Array | undefined>;
}

type Content = string | Uint8Array;
/** Made only when it is written: of ten changes in a row nine are never rendered. */
export type Render = () => Content | Promise<Content>;
/** Brings a file up to date in its own way; whole and durable or not at all, as `Files.replace`. */
type Write = () => Promise<void>;

/** A file rests so many times as long as its last write took: writing takes at most a twentieth of the time. */
const REST_FACTOR = 20;
const REST_MS_MIN = 100;
/** Events come in bursts: so long a change waits for those that follow it, unless it is said to be the last. */
const GATHER_MS = 250;
const RETRY_MS_MAX = 10_000;
const FLUSH_TRIES_MAX = 3;
const ENTRIES_MAX = 1_000;
/** Several syncs at once cost little more than one. Fewer than Node's threads, so that others can read meanwhile. */
const WRITES_AT_ONCE_MAX = 3;

type Entry = {
  /** Writes the newest content, which is not on the disk; undefined when it is. */
  pending: Write | undefined;
  /** The last write that was begun or waits for its turn. */
  turn: Promise<unknown>;
  /** No sooner than this on the monotonic clock, unless it is flushed. */
  notBeforeMs: number;
  gatherUntilMs: number;
  failures: number;
  cancelTimer: () => void;
};

/**
 * Writes files that others read, behind the commits they tell of.
 *
 * F1 Only the newest content of a path is ever written; what was replaced before its turn is dropped.
 * F2 Content leaves `pending` when its bytes are durable and nothing newer has come; a failure keeps it.
 * F3 A few writes at a time; a path is never written twice at once.
 */
export class FileWriter {
  private readonly entries = new Map<string, Entry>();
  private readonly files: Files;
  private readonly clock: Clock;
  private readonly onFailure: (file: string, problem: unknown, tries: number) => void;
  private underWay = 0;
  private readonly waiting: (() => void)[] = [];
  private entriesMax = ENTRIES_MAX;

  constructor(files: Files, clock: Clock, onFailure: (file: string, problem: unknown, tries: number) => void) {
    this.files = files;
    this.clock = clock;
    this.onFailure = onFailure;
  }

  /** `last`: no change is expected to follow soon, so that there is nothing to wait for. */
  put(file: string, render: Render, { last = false } = {}): void {
    this.putBy(file, async () => this.files.replace(file, await render()), { last });
  }

  /** For a file that is not replaced as a whole. */
  putBy(file: string, write: Write, { last = false } = {}): void {
    const entry = this.entryOf(file);
    const nowMs = this.clock.monotonicMs();
    const waits = entry.pending !== undefined;
    entry.pending = write;
    if (last) entry.gatherUntilMs = nowMs;
    else if (!waits) entry.gatherUntilMs = nowMs + GATHER_MS;
    if (last || !waits) this.schedule(file, entry);
  }

  /** After a claim: the store wins over whatever the last owner left. True when the file was not as it must be. */
  async repair(file: string, render: Render): Promise<boolean> {
    const found = await this.files.read(file);
    if (found && isSame(found, await render())) return false;
    this.put(file, render, { last: true });
    return true;
  }

  /** Everything that waits, now. Fails with what could not be written after some tries; that is not given up. */
  async flush(): Promise<void> {
    const flushing = [...this.entries].map(([file, entry]) => this.flushOne(file, entry));
    const problems = (await Promise.all(flushing)).filter((problem) => problem !== undefined);
    if (problems.length > 0) throw new AggregateError(problems, `${problems.length} files could not be written`);
  }

  /** Answers with the problem, if it is still not written. */
  private async flushOne(file: string, entry: Entry): Promise<unknown> {
    entry.cancelTimer();
    let problem: unknown;
    for (let tries = 0; entry.pending && tries < FLUSH_TRIES_MAX; tries += 1) {
      problem = await this.enqueue(file, entry);
    }
    await entry.turn;
    if (!entry.pending) return undefined;
    this.schedule(file, entry);
    return problem;
  }

  private entryOf(file: string): Entry {
    const known = this.entries.get(file);
    if (known) return known;
    if (this.entries.size >= this.entriesMax) this.forgetRested();
    const times = { notBeforeMs: 0, gatherUntilMs: 0 };
    const turn = Promise.resolve();
    const entry: Entry = { pending: undefined, turn, ...times, failures: 0, cancelTimer: () => {} };
    this.entries.set(file, entry);
    return entry;
  }

  /** Bounds what is remembered to the files that wait or rest. */
  private forgetRested(): void {
    const nowMs = this.clock.monotonicMs();
    for (const [file, { pending, notBeforeMs }] of this.entries) {
      if (!pending && notBeforeMs <= nowMs) this.entries.delete(file);
    }
    this.entriesMax = Math.max(ENTRIES_MAX, this.entries.size * 2);
  }

  private schedule(file: string, entry: Entry): void {
    entry.cancelTimer();
    const { notBeforeMs, gatherUntilMs } = entry;
    const waitMs = Math.max(0, Math.max(notBeforeMs, gatherUntilMs) - this.clock.monotonicMs());
    entry.cancelTimer = this.clock.after(waitMs, () => {
      void this.enqueue(file, entry).then(() => {
        if (entry.pending) this.schedule(file, entry);
      });
    });
  }

  /** Answers with the problem, or undefined when it is written. */
  private enqueue(file: string, entry: Entry): Promise<unknown> {
    const turn = entry.turn.then(() => this.inTurn(() => this.write(file, entry)));
    entry.turn = turn;
    return turn;
  }

  private async inTurn<T>(work: () => Promise<T>): Promise<T> {
    if (this.underWay >= WRITES_AT_ONCE_MAX) await new Promise<void>((go) => this.waiting.push(go));
    else this.underWay += 1;
    try {
      return await work();
    } finally {
      const next = this.waiting.shift();
      if (next) next();
      else this.underWay -= 1;
    }
  }

  private async write(file: string, entry: Entry): Promise<unknown> {
    const write = entry.pending;
    if (!write) return undefined;
    const startedMs = this.clock.monotonicMs();
    try {
      await write();
      if (entry.pending === write) entry.pending = undefined;
      entry.failures = 0;
      const endedMs = this.clock.monotonicMs();
      entry.notBeforeMs = endedMs + Math.max(REST_MS_MIN, REST_FACTOR * (endedMs - startedMs));
      return undefined;
    } catch (problem) {
      entry.failures += 1;
      const waitMs = Math.min(RETRY_MS_MAX, REST_MS_MIN * 2 ** (entry.failures - 1));
      entry.notBeforeMs = this.clock.monotonicMs() + waitMs;
      this.onFailure(file, problem, entry.failures);
      return problem;
    }
  }
}

function isSame(found: Uint8Array, content: Content): boolean {
  const wanted = typeof content === 'string' ? new TextEncoder().encode(content) : content;
  return found.length === wanted.length && found.every((byte, index) => byte === wanted[index]);
}

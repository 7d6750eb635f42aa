import type { ChainState } from '../../contracts/api/audit-shapes.js';
import { type JournalSource, type Verification, verifyJournal } from '../../engine/audit/verify-journal.js';
import type { Clock, EventStore, Hasher } from '../../engine/ports.js';

type Around = { store: EventStore; clock: Clock; hasher: Hasher };

const FIRST_MS = 2_000;
/** By itself it is checked again after this long, and never for more than a twentieth of the time. */
const REST_MS_MIN = 10 * 60_000;
const REST_SHARE = 20;

/**
 * Verifies the whole log again and again, a page at a time so that nobody waits for it, and keeps what it found.
 *
 * W1: whoever asks gets what a check found that began after they asked.
 * W2: one check at a time; all who ask meanwhile share the next.
 */
export class ChainWatch {
  readonly state: ChainState = { last: null, intact_since: null, checking: null };
  private readonly around: Around;
  private current: Promise<unknown> = Promise.resolve();
  private next: Promise<Verification> | undefined;
  private cancel: () => void;
  private closed = false;

  constructor(around: Around) {
    this.around = around;
    this.cancel = around.clock.after(FIRST_MS, () => this.again());
  }

  check(): Promise<Verification> {
    this.next ??= this.begin(this.current.catch(() => {}));
    return this.next;
  }

  close(): void {
    this.closed = true;
    this.cancel();
  }

  private async begin(before: Promise<unknown>): Promise<Verification> {
    await before;
    const walk = this.walk();
    this.current = walk;
    this.next = undefined;
    return walk;
  }

  private async walk(): Promise<Verification> {
    const { store, hasher, clock } = this.around;
    try {
      this.state.checking = { position: 0, of: await store.position() };
      const found = await verifyJournal(this.breathing(), hasher);
      const { ok, runs, events, position, findings } = found;
      const at = new Date(clock.nowMs()).toISOString();
      this.state.intact_since = ok ? (this.state.intact_since ?? at) : null;
      this.state.last = { ...{ ok, runs, events, position, at }, finding: findings[0] ?? null };
      return found;
    } finally {
      this.state.checking = null;
    }
  }

  /** Lets others have their turn between pages. */
  private breathing(): JournalSource {
    const { store } = this.around;
    const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
    return {
      feed: async (after, limit) => {
        await turn();
        if (this.closed) throw new Error('the server ends');
        if (this.state.checking) this.state.checking.position = after;
        return store.feed(after, limit);
      },
      batches: (after, limit) => store.batches(after, limit),
      runs: async (filter) => {
        await turn();
        return store.runs(filter);
      },
      load: (...of) => store.load(...of),
    };
  }

  private again(): void {
    const { clock } = this.around;
    const beganMs = clock.monotonicMs();
    const rest = (): void => {
      if (this.closed) return;
      const tookMs = clock.monotonicMs() - beganMs;
      this.cancel = clock.after(Math.max(REST_MS_MIN, tookMs * REST_SHARE), () => this.again());
    };
    this.check().then(rest, rest);
  }
}

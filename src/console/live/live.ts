import {
  BatonError,
  type Budget,
  type InboxItem,
  type StreamState,
  type System,
  type Whoami,
} from '../../client/index.js';
import { client } from './client.js';
import { passes, READ_AGAIN_MS } from './passes.js';
import { onOtherLogIn } from './proof.js';

export type LiveState = {
  wire: StreamState | { name: 'connecting' };
  who: Whoami | null;
  system: System | null;
  /** Limits of a day; none is set, or nothing is known of them, when there are none. */
  budgets: readonly Budget[];
  position: number;
  /** What waits, the oldest first. */
  items: readonly InboxItem[] | null;
  /** By the server's clock. */
  nowMs: number;
  /** How often each run has changed since the page was opened. */
  changes: ReadonlyMap<string, number>;
};

const TELL_MS = 200;
const TICK_MS = 1_000;
/** What the server knows about itself is asked for again after so long. */
const SYSTEM_MS = 10_000;
const BEGIN_AGAIN_MS = 2_000;
/** A smaller difference of the clocks is a matter of the wire. */
const SKEW_MS_MIN = 5_000;
const ITEMS_MAX = 1_000;

/** Follows the server's events, and tells whoever looks what has changed; at most five times a second. */
export class Live {
  state: LiveState = {
    ...{ wire: { name: 'connecting' }, who: null, system: null, budgets: [], position: 0, items: null },
    ...{ nowMs: Date.now(), changes: new Map<string, number>() },
  };
  private readonly watchers = new Set<() => void>();
  private stop = new AbortController();
  private skewMs = 0;
  private changed = new Map<string, number>();
  private telling: ReturnType<typeof setTimeout> | undefined;
  private reads = 0;
  private readonly ticking: ReturnType<typeof setInterval>[] = [];
  private forgetLogIn: (() => void) | undefined;
  private position = 0;

  start(): void {
    this.ticking.push(setInterval(() => this.set({ nowMs: this.now() }), TICK_MS));
    this.ticking.push(setInterval(() => void this.readSystem().catch(() => {}), SYSTEM_MS));
    this.forgetLogIn = onOtherLogIn(() => this.again());
    void this.follow();
  }

  end(): void {
    this.stop.abort();
    this.forgetLogIn?.();
    for (const timer of this.ticking) clearInterval(timer);
  }

  watch = (call: () => void): (() => void) => {
    this.watchers.add(call);
    return () => this.watchers.delete(call);
  };

  /** Somebody has logged in again in another window: this one goes on where it stood. */
  private again(): void {
    this.stop.abort();
    this.stop = new AbortController();
    void this.follow();
  }

  private async follow(): Promise<void> {
    const { signal } = this.stop;
    while (!signal.aborted) {
      try {
        await this.begin();
        const onState = (wire: StreamState): void => this.moved(wire);
        for await (const event of client.events({ after: this.position, signal, onState })) this.see(event);
      } catch (failure) {
        if (failure instanceof BatonError && ['UNAUTHENTICATED', 'FORBIDDEN'].includes(failure.code)) {
          this.set({ wire: { name: 'refused', error: failure } });
          return;
        }
      }
      await new Promise((resolve) => setTimeout(resolve, BEGIN_AGAIN_MS));
    }
  }

  /** The first time it begins at the end of the log, later where it was left. */
  private async begin(): Promise<void> {
    const [who, system] = await Promise.all([client.whoami(), this.readSystem()]);
    // A log that is shorter than what was seen of it is another one.
    if (this.position === 0 || system.position < this.position) this.position = system.position;
    this.set({ who, position: this.position });
    await this.readItems();
  }

  private see({ position, run_id }: { position: number; run_id: string }): void {
    this.position = position;
    this.changed.set(run_id, (this.changed.get(run_id) ?? 0) + 1);
    this.telling ??= setTimeout(() => void this.tell(), TELL_MS);
  }

  private moved(wire: StreamState): void {
    const came = wire.name === 'live' && this.state.wire.name === 'stale';
    this.set({ wire });
    if (!came) return;
    void this.readSystem().catch(() => {});
    this.telling ??= setTimeout(() => void this.tell(), TELL_MS);
  }

  /** What waits is read until it was: nothing else may happen for long, and then nobody would ask again. */
  private async tell(): Promise<void> {
    // What happens while it is read is read next.
    this.telling = undefined;
    const isRead = await this.readItems().then(
      () => true,
      (failure) => !passes(failure),
    );
    if (!isRead && !this.stop.signal.aborted) this.telling ??= setTimeout(() => void this.tell(), READ_AGAIN_MS);
    this.set({ position: this.position, changes: new Map(this.changed) });
  }

  private async readItems(): Promise<void> {
    this.reads += 1;
    const read = this.reads;
    const { items } = await client.inbox({ limit: ITEMS_MAX });
    // One that was asked for later may have come before.
    if (read === this.reads) this.set({ items });
  }

  async readSystem(): Promise<System> {
    const system = await client.system();
    const skewMs = Date.parse(system.now) - Date.now();
    this.skewMs = Math.abs(skewMs) > SKEW_MS_MIN ? skewMs : 0;
    const { items } = await client.budgets().catch(() => ({ items: [] }));
    this.set({ system, budgets: items, nowMs: this.now() });
    return system;
  }

  private now(): number {
    return Date.now() + this.skewMs;
  }

  private set(change: Partial<LiveState>): void {
    this.state = { ...this.state, ...change };
    for (const call of this.watchers) call();
  }
}

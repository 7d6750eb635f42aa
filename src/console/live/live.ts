import { BatonError, type InboxItem, type StreamState, type System, type Whoami } from '../../client/index.js';
import { client } from './client.js';

export type LiveState = {
  wire: StreamState | { name: 'connecting' };
  who: Whoami | null;
  system: System | null;
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
/** Events behind which the inbox may be another. */
const ITEMS_MAX = 1_000;

/** Follows the server's events, and tells whoever looks what has changed; at most five times a second. */
export class Live {
  state: LiveState = {
    ...{ wire: { name: 'connecting' }, who: null, system: null, position: 0, items: null },
    ...{ nowMs: Date.now(), changes: new Map<string, number>() },
  };
  private readonly watchers = new Set<() => void>();
  private readonly stop = new AbortController();
  private skewMs = 0;
  private changed = new Map<string, number>();
  private telling: ReturnType<typeof setTimeout> | undefined;
  private ticking: ReturnType<typeof setInterval> | undefined;
  private position = 0;

  start(): void {
    this.ticking = setInterval(() => this.set({ nowMs: this.now() }), TICK_MS);
    void this.follow().catch((failure) => this.refused(failure));
  }

  end(): void {
    this.stop.abort();
    clearInterval(this.ticking);
  }

  watch = (call: () => void): (() => void) => {
    this.watchers.add(call);
    return () => this.watchers.delete(call);
  };

  private async follow(): Promise<void> {
    const [who, system] = await Promise.all([client.whoami(), client.system()]);
    this.skewMs = Date.parse(system.now) - Date.now();
    this.position = system.position;
    this.set({ who, system, position: system.position, nowMs: this.now() });
    await this.readItems();
    const onState = (wire: StreamState): void => this.set({ wire });
    for await (const event of client.events({ after: system.position, signal: this.stop.signal, onState })) {
      this.position = event.position;
      this.changed.set(event.run_id, (this.changed.get(event.run_id) ?? 0) + 1);
      this.telling ??= setTimeout(() => void this.tell(), TELL_MS);
    }
  }

  private async tell(): Promise<void> {
    await this.readItems().catch(() => {});
    this.telling = undefined;
    this.set({ position: this.position, changes: new Map(this.changed) });
  }

  private async readItems(): Promise<void> {
    const { items } = await client.inbox({ limit: ITEMS_MAX });
    this.set({ items });
  }

  private refused(failure: unknown): void {
    const error = failure instanceof BatonError ? failure : new BatonError('INTERNAL', String(failure));
    this.set({ wire: { name: 'refused', error } });
  }

  private now(): number {
    return Date.now() + this.skewMs;
  }

  private set(change: Partial<LiveState>): void {
    this.state = { ...this.state, ...change };
    for (const call of this.watchers) call();
  }
}

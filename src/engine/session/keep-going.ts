import type { Engine } from '../engine.js';
import type { Ports, RunId, RunRow } from '../ports.js';

type Standing = Pick<RunRow, 'owes' | 'wakeAtMs'>;

const LOOK_AGAIN_MS = 1_000;

/** `watched`: whatever somebody looks at, as nobody else takes what is due; `sent`: only what was sent here. */
export type Drives = 'watched' | 'sent' | 'nothing';

/** Sees to it that sessions somebody looks at are moved on by this process, unless another one does. */
export class KeepGoing {
  private readonly engine: Engine;
  private readonly ports: Pick<Ports, 'store' | 'clock' | 'log'>;
  private readonly drives: Drives;
  private readonly watched = new Map<RunId, { users: number; unwatch(): void }>();
  /** Those that something is owed to, and that somebody else had when they were looked at. */
  private readonly due = new Set<RunId>();
  private cancel: () => void = () => {};
  private isClosed = false;

  constructor(engine: Engine, ports: Pick<Ports, 'store' | 'clock' | 'log'>, drives: Drives) {
    this.engine = engine;
    this.ports = ports;
    this.drives = drives;
  }

  /** After a command: what it left owed is begun here. `now` saves a read of how it stands. */
  look(run: RunId, now?: Standing): void {
    if (!this.mayTake(run)) return;
    this.take(run, now).catch((problem) => this.ports.log('warn', 'a session', { run, problem: String(problem) }));
  }

  /** While somebody looks at it, answers that come by other processes move it on here too. */
  watch(run: RunId): () => void {
    if (this.drives !== 'watched') return () => {};
    const known = this.watched.get(run) ?? { users: 0, unwatch: this.engine.watch(run, () => this.lookSoon(run)) };
    known.users += 1;
    this.watched.set(run, known);
    if (this.watched.size === 1 && known.users === 1) this.lookAgain();
    this.look(run);
    return () => {
      known.users -= 1;
      if (known.users > 0) return;
      known.unwatch();
      this.watched.delete(run);
      this.due.delete(run);
      if (this.watched.size === 0) this.cancel();
    };
  }

  close(): void {
    this.isClosed = true;
    this.cancel();
    for (const { unwatch } of this.watched.values()) unwatch();
    this.watched.clear();
  }

  /** Whoever drove one may have died. */
  private lookAgain(): void {
    this.cancel = this.ports.clock.after(LOOK_AGAIN_MS, () => {
      for (const run of this.due) this.look(run);
      if (!this.isClosed) this.lookAgain();
    });
  }

  /** Those that follow it come first: what was sent here is taken by then, and needs no look. */
  private lookSoon(run: RunId): void {
    if (this.mayTake(run)) this.ports.clock.after(0, () => this.look(run));
  }

  private mayTake(run: RunId): boolean {
    return this.drives !== 'nothing' && !this.isClosed && !this.engine.owns(run);
  }

  private async take(run: RunId, now?: Standing): Promise<void> {
    const standing = now ?? (await this.ports.store.run(run));
    const isDue = standing !== undefined && (standing.owes || standing.wakeAtMs !== null);
    if (isDue && this.watched.has(run)) this.due.add(run);
    else this.due.delete(run);
    if (isDue && !this.isClosed && !this.engine.owns(run)) await this.engine.drive(run);
  }
}

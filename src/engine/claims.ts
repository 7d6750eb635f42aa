import type { Claim, Ports, RunId, WorkerId } from './ports.js';

/** How often somebody looks for work that no commit announced: runs of dead workers, runs whose time has come. */
const LOOK_AGAIN_MS = 1000;
const CLAIMS_MAX = 100;

/** Where claimed runs go. */
export type Home = {
  /** Takes any run that owes something; otherwise only what is already ours is looked after. */
  takesAny: boolean;
  /** How many more it can carry. */
  room(): number;
  knows(run: RunId): boolean;
  adopt(claim: Claim): Promise<void>;
};

/**
 * Takes over runs that owe something and that nobody alive owns. Looks at once when a commit announces work, when the
 * next run's time comes, and now and then.
 */
export class Claims {
  private looking: Promise<void> | undefined;
  private again = false;
  private stopped = false;
  private cancelTimer: () => void = () => {};
  private readonly ports: Ports;
  private readonly worker: WorkerId;
  private readonly home: Home;
  /** Runs that are ours in the store but were not known here at the last look. */
  private unknown: ReadonlySet<RunId> = new Set();

  constructor(ports: Ports, worker: WorkerId, home: Home) {
    this.ports = ports;
    this.worker = worker;
    this.home = home;
  }

  /** Coalesced: many announcements while it looks make one more look. */
  look(): Promise<void> {
    if (this.stopped) return Promise.resolve();
    if (this.looking) {
      this.again = true;
      return this.looking;
    }
    this.looking = this.lookUntilNothing().finally(() => {
      this.looking = undefined;
    });
    return this.looking;
  }

  /** Whoever takes any run may be taking this one: claimed a second time it would lose what it has just begun. */
  async isTaking(run: RunId): Promise<boolean> {
    if (!this.home.takesAny) return false;
    await this.look();
    return (await this.ports.store.run(run))?.owner === this.worker;
  }

  async stop(): Promise<void> {
    this.stopped = true;
    this.cancelTimer();
    await this.looking;
  }

  /** Runs that are ours in the store although we do not know of it, taken over from ourselves. */
  async ownUnknown(): Promise<readonly Claim[]> {
    const { store, clock } = this.ports;
    const unknown = (await store.ownedBy(this.worker)).filter((run) => !this.home.knows(run));
    const claims = unknown.map((run) => store.claim(this.worker, { run, nowMs: clock.nowMs(), limit: 1 }));
    return (await Promise.all(claims)).flat();
  }

  private async lookUntilNothing(): Promise<void> {
    const { store, clock, log } = this.ports;
    this.cancelTimer();
    try {
      do {
        this.again = false;
        const limit = this.home.takesAny ? Math.min(CLAIMS_MAX, this.home.room()) : 0;
        if (limit <= 0) break;
        const claims = await store.claim(this.worker, { nowMs: clock.nowMs(), limit });
        await this.adoptAll(claims);
        if (claims.length === limit) this.again = true;
      } while (this.again && !this.stopped);
      await this.takeUnknown();
    } catch (problem) {
      log('warn', 'could not look for work', { problem: String(problem) });
    }
    if (!this.stopped) await this.setTimer();
  }

  /**
   * When the acknowledgement of a claim, a creation or a release is lost, a run is ours and nobody drives it. Seen twice
   * in a row it is taken over from ourselves; once may be a creation that is just being acknowledged.
   */
  private async takeUnknown(): Promise<void> {
    const { store, clock } = this.ports;
    const unknown = (await store.ownedBy(this.worker)).filter((run) => !this.home.knows(run));
    for (const run of unknown.filter((one) => this.unknown.has(one))) {
      const claims = await store.claim(this.worker, { run, nowMs: clock.nowMs(), limit: 1 });
      await this.adoptAll(claims);
    }
    this.unknown = new Set(unknown);
  }

  /** One run that cannot be taken over must not keep the others waiting. */
  private async adoptAll(claims: readonly Claim[]): Promise<void> {
    const adopting = claims.map((claim) =>
      this.home.adopt(claim).catch((problem) => {
        this.ports.log('error', 'could not take over a run', { run: claim.run, problem: String(problem) });
      }),
    );
    await Promise.all(adopting);
  }

  private async setTimer(): Promise<void> {
    const { store, clock } = this.ports;
    const nextMs = await store.nextWake().catch(() => null);
    // A run whose time has come already was just looked at: whoever may take it has it.
    const untilMs = nextMs === null ? 0 : nextMs - clock.nowMs();
    const waitMs = untilMs <= 0 ? LOOK_AGAIN_MS : Math.min(LOOK_AGAIN_MS, untilMs);
    if (!this.stopped) this.cancelTimer = clock.after(waitMs, () => void this.look());
  }
}

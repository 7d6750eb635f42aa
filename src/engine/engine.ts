import { BatonError } from '../contracts/shared/errors.js';
import { Claims } from './claims.js';
import { dispatch, type How, type Outcome } from './dispatch.js';
import type { FoldedRun } from './folded-run.js';
import { Follower, type Watcher } from './follow.js';
import { Lanes } from './lanes.js';
import { Liveness } from './liveness.js';
import { LoginLanes } from './login-lanes.js';
import { loginOf } from './login-of.js';
import type { AnyCommand, Machines } from './machines.js';
import { Mailboxes } from './mailbox.js';
import { leavesSomethingBehind } from './ownership.js';
import { pause } from './pause.js';
import type { Claim, EventHead, Ports, RunId, RunRow, WorkerId } from './ports.js';
import { isOurs, recordLost } from './record-lost.js';
import { RunCache } from './run-cache.js';
import { saveSnapshot } from './save-snapshot.js';
import type { Origin } from './seal.js';
import { Settler } from './settle.js';
import { SystemRun } from './system/system-run.js';

const HAND_BACK_TRIES = 20;
const HAND_BACK_AGAIN_MS = 200;
const IDLE_LOOK_MS = 100;
/** So many times as many may wait for money: they take no more than memory, and must not keep others from being taken. */
const PARKED_FACTOR = 5;

export type EngineOptions = {
  worker: WorkerId;
  host: string;
  /** Claims any run that owes something; otherwise only runs it is told to drive. */
  claimsAny: boolean;
  /** Runs this process owns at most at once: what it cannot carry stays for others. */
  ownedMax: number;
  /** A snapshot is saved after so many events. */
  snapshotEvery: number;
  laneLimit: (lane: string) => number;
  /** Of what agents share; absent is no limit. */
  loginLimit?: (login: string) => number;
  /** A run this process drives has changed, or has come to rest with that, or was just taken. */
  onDriven?: (run: RunId, kind: string, what: 'changed' | 'rests' | 'taken') => void;
};

const unlimited = (): number => Number.POSITIVE_INFINITY;

/** The one loop under all contracts: commands in, events durable, effects carried out, results back in as commands. */
export class Engine {
  private readonly cache: RunCache;
  private readonly mailboxes = new Mailboxes();
  private readonly settler: Settler;
  private readonly claims: Claims;
  private readonly follower: Follower;
  private readonly liveness: Liveness;
  private readonly ports: Ports;
  private readonly options: EngineOptions;
  private started = false;
  private stopping = false;
  private stopped = false;
  private handing: Promise<void> = Promise.resolve();
  /** Runs this process was told to drive: after a silence it takes them again, if nobody else has. */
  private readonly named = new Set<RunId>();
  private readonly driving = new Map<RunId, Promise<boolean>>();
  /** What their last owner left running may not all have been ended yet. */
  private readonly halfTaken = new Set<RunId>();

  constructor(ports: Ports, machines: Machines, options: EngineOptions) {
    this.ports = ports;
    this.options = options;
    this.cache = new RunCache(ports.store, machines);
    this.settler = new Settler({
      ports,
      lanes: new Lanes(options.laneLimit),
      logins: new LoginLanes(options.loginLimit ?? unlimited, (agent) => loginOf(ports, agent)),
      system: new SystemRun({
        ports,
        machines,
        send: (run, command, origin, how) => this.send(run, command, origin, how),
        watch: (run, call) => this.follower.watch(run, call),
      }),
      send: (run, command, origin, how) => this.send(run, command, origin, how),
      watch: (run, call) => this.follower.watch(run, call),
      child: (run, kind, command, origin) => this.createOwned(run, kind, command, origin, !this.stopping),
      drive: (run) => this.drive(run),
      onEnded: (run) => this.inBackground(run, () => this.seeEnded(run)),
    });
    this.claims = new Claims(ports, options.worker, {
      takesAny: options.claimsAny,
      room: () => this.room(),
      knows: (run) => this.settler.epochOf(run) !== undefined,
      adopt: (claim) => this.adopt(claim),
    });
    this.follower = new Follower(ports.store, ports.clock, (event) => this.onEvent(event));
    this.liveness = new Liveness(ports, options.worker, () => this.startOver());
  }

  async start(): Promise<void> {
    await this.liveness.start(this.options.host);
    await this.follower.start();
    this.started = true;
    await this.claims.look();
  }

  /** Takes over one run, whatever it owes, unless somebody alive owns it; nothing happens when that is us. `first` is done before what it owes. */
  async drive(run: RunId, first?: () => Promise<void>): Promise<boolean> {
    // Whoever is not enlisted looks dead to others, and would lose the run at once.
    if (!this.started) throw new Error(`${run} cannot be driven before this process has started`);
    if (this.stopping) return false;
    // Claimed twice at once, it would be taken from ourselves, and what was begun in between would be lost.
    const driving = this.driving.get(run) ?? this.takeNamed(run, first).finally(() => this.driving.delete(run));
    this.driving.set(run, driving);
    return driving;
  }

  private async takeNamed(run: RunId, first?: () => Promise<void>): Promise<boolean> {
    if (this.owns(run) || (await this.claims.isTaking(run))) return true;
    const which = { run, nowMs: this.ports.clock.nowMs(), limit: 1 };
    const claims = await this.ports.store.claim(this.options.worker, which);
    if (claims.length > 0) this.named.add(run);
    for (const claim of claims) await this.adopt(claim, first);
    return claims.length > 0;
  }

  /** Creates a run and owns it at once when this process claims work anyway. */
  create(run: RunId, kind: string, command: AnyCommand, origin: Origin): Promise<Outcome> {
    const owns = this.options.claimsAny && this.started && !this.stopping;
    return this.createOwned(run, kind, command, origin, owns);
  }

  private createOwned(run: RunId, kind: string, command: AnyCommand, origin: Origin, owns: boolean) {
    return this.send(run, command, origin, { create: kind, ...(owns && { owner: this.options.worker }) });
  }

  /** Creates a run that is driven here from its first event on. */
  createHere(run: RunId, kind: string, command: AnyCommand, origin: Origin): Promise<Outcome> {
    return this.createOwned(run, kind, command, origin, true);
  }

  /**
   * Takes a run over and gives it a command before anybody else can take it for what it then owes. Undefined when
   * somebody alive has it.
   */
  async takeWith(run: RunId, command: AnyCommand, origin: Origin): Promise<Outcome | undefined> {
    await this.driving.get(run);
    if (this.owns(run)) return this.send(run, command, origin);
    let outcome: Outcome | undefined;
    await this.drive(run, async () => {
      outcome = await dispatch(this.ports, this.cache, run, command, origin);
    });
    return outcome;
  }

  /** Gives a command to a run; resolves when its events are durable or it is refused. */
  send(run: RunId, command: AnyCommand, origin: Origin, how: How = {}): Promise<Outcome> {
    return this.mailboxes.put(run, () => this.sendInMailbox(run, command, origin, how));
  }

  /** Resolves when this process owns nothing and finds nothing to take, or when it is told to stop. */
  async untilIdle(signal: { readonly aborted: boolean }): Promise<void> {
    while (!signal.aborted) {
      await this.claims.look();
      if (this.settler.ownedRuns.length === 0) return;
      await pause(this.ports.clock, IDLE_LOOK_MS);
    }
  }

  owns(run: RunId): boolean {
    return this.settler.epochOf(run) !== undefined;
  }

  /** A run as it is folded here, for whoever only looks. */
  readonly peek = (run: RunId): FoldedRun | undefined => this.cache.peek(run);

  /** Calls after every event of a run, whoever wrote it. */
  watch(run: RunId, call: Watcher): () => void {
    return this.follower.watch(run, call);
  }

  /** Resolves with the run's row once nothing but a human can move it on. While it is ours, only its rest is looked at. */
  rested(run: RunId): Promise<RunRow> {
    return new Promise((resolve, reject) => {
      const look = async (): Promise<void> => {
        const row = await this.ports.store.run(run);
        if (!row || row.owes || row.wakeAtMs !== null) return;
        end();
        resolve(row);
      };
      const lookUnlessOurs = (): void => {
        if (this.settler.epochOf(run) === undefined) look().catch(reject);
      };
      const end = this.follower.watch(run, lookUnlessOurs);
      lookUnlessOurs();
    });
  }

  /**
   * Stops claiming, lets what is nearly done end, then ends the rest: what was under way is recorded as lost, so that
   * the next owner begins it again at once, and the runs are handed back.
   */
  async stop(graceMs: number): Promise<void> {
    this.stopping = true;
    this.settler.startNothing();
    await this.claims.stop();
    // What is being taken now becomes ours a moment later.
    await Promise.allSettled(this.driving.values());
    const untilMs = this.ports.clock.monotonicMs() + graceMs;
    while (this.isBusy() && this.ports.clock.monotonicMs() < untilMs) await pause(this.ports.clock, 10);
    // What was being created when we were told to stop becomes ours a moment later, and is handed back as well.
    do {
      await this.handBackAll();
      await this.mailboxes.idle();
    } while (this.settler.ownedRuns.length > 0);
    await this.handBackUnknown();
    await this.settler.whatIsEnding();
    this.stopped = true;
    await this.mailboxes.idle();
    this.follower.stop();
    await this.liveness.stop();
  }

  private room(): number {
    const { ownedMax } = this.options;
    const { ownedRuns } = this.settler;
    const parked = ownedRuns.filter((run) => this.settler.inFlight(run).every(({ type }) => type === 'Afford')).length;
    return Math.min(ownedMax - (ownedRuns.length - parked), ownedMax * PARKED_FACTOR - ownedRuns.length);
  }

  private async sendInMailbox(run: RunId, command: AnyCommand, origin: Origin, how: How): Promise<Outcome> {
    if (this.stopped) throw new BatonError('ENGINE_STOPPED', `${run}: this process takes no commands any more`);
    const outcome = await dispatch(this.ports, this.cache, run, command, origin, how);
    // A late result of an earlier ownership must not end the present one.
    if (outcome.type === 'fenced' && this.settler.epochOf(run) === how.fence) void this.settler.forget(run);
    if (outcome.type !== 'accepted') return outcome;
    const { folded } = outcome;
    if (how.owner !== undefined && folded.epoch === 1 && this.settler.epochOf(run) === undefined)
      this.settler.own(run, 1);
    await this.afterEvents(folded, outcome.handedBack);
    return outcome;
  }

  private async afterEvents(folded: FoldedRun, handedBack: boolean): Promise<void> {
    const { run, machine, state } = folded;
    const epoch = this.settler.epochOf(run);
    if (epoch === undefined) {
      if (this.options.claimsAny && machine.summary(state).owes) void this.claims.look();
      return;
    }
    const { owes, wakeAtMs, ended } = machine.summary(state);
    this.options.onDriven?.(run, machine.kind, owes || wakeAtMs !== null ? 'changed' : 'rests');
    // Somebody else has written as the owner since: it is not ours any more.
    if (folded.epoch > epoch) return this.settler.forget(run);
    const rests = this.settler.settle(folded);
    if (rests && !handedBack) await this.release(run, epoch);
    if (!rests) return saveSnapshot(this.ports, folded, epoch, this.options.snapshotEvery);
    this.named.delete(run);
    this.follower.poke(run);
    if (ended) this.cache.retire(folded);
  }

  /** A release that fails is made up for by the next look for runs that are ours without our knowing. */
  private async release(run: RunId, epoch: number): Promise<void> {
    await this.ports.store.release(run, epoch).catch((problem) => {
      this.ports.log('warn', 'could not hand a run back yet', { run, problem: String(problem) });
    });
  }

  /** Becomes the owner: whatever the last one left running is ended and recorded as lost before anything is started. */
  private adopt({ run, epoch, previousOwner }: Claim, first?: () => Promise<void>): Promise<void> {
    return this.mailboxes.put(run, async () => {
      await this.settler.forget(run);
      this.cache.forget(run);
      const folded = await this.cache.open(run);
      if (!folded) throw new Error(`${run} was claimed but is not there`);
      this.settler.own(run, epoch);
      this.options.onDriven?.(run, folded.machine.kind, 'taken');
      if (previousOwner !== null) await this.takeOver(folded, epoch);
      await first?.();
      const now = await this.cache.open(run);
      if (now && this.settler.epochOf(run) === epoch) await this.afterEvents(now, false);
    });
  }

  /** When it fails half-way the run is not ours to drive: the next look finds it and begins again. */
  private async takeOver(folded: FoldedRun, epoch: number): Promise<void> {
    this.halfTaken.add(folded.run);
    try {
      await this.recordLost(folded, epoch);
      // Also what nobody waits for any more: an ask may have been called off after its owner was dead.
      if (await isOurs(this.ports, folded.run, epoch)) await this.ports.agents.endLeftover(folded.run);
      this.halfTaken.delete(folded.run);
    } catch (problem) {
      await this.settler.forget(folded.run);
      throw problem;
    }
  }

  private recordLost(folded: FoldedRun, fence: number): Promise<void> {
    const { ports, cache, settler } = this;
    return recordLost({ ports, cache, forget: (run) => settler.forget(run) }, folded, fence);
  }

  /** Records what was under way as lost and gives the run back. */
  private async handBack(run: RunId, epoch: number): Promise<void> {
    const folded = await this.cache.open(run);
    if (folded) await this.recordLost(folded, epoch);
    // Who claims it next finds no former owner, and would look for nothing.
    if (this.halfTaken.has(run) && (await isOurs(this.ports, run, epoch))) await this.ports.agents.endLeftover(run);
    this.halfTaken.delete(run);
    await this.ports.store.release(run, epoch);
    this.cache.forget(run);
  }

  /** Given up after a while: once this worker is discharged, or dead, others take the run all the same. */
  private async handBackPatiently(run: RunId, epoch: number): Promise<void> {
    for (let tries = 0; tries < HAND_BACK_TRIES; tries += 1) {
      try {
        return await this.handBack(run, epoch);
      } catch (problem) {
        this.cache.forget(run);
        this.ports.log('warn', 'could not hand a run back yet', { run, problem: String(problem) });
        await pause(this.ports.clock, HAND_BACK_AGAIN_MS);
      }
    }
  }

  /** Ends everything under way in all runs at once, then hands the runs back one by one. */
  private handBackAll(): Promise<void> {
    // One after the other: a worker that starts over may be told to stop meanwhile.
    const next = this.handing.then(() => this.handBackEverything());
    this.handing = next.catch(() => undefined);
    return next;
  }

  private async handBackEverything(): Promise<void> {
    const owned = this.settler.ownedRuns.map((run) => ({ run, epoch: this.settler.epochOf(run) as number }));
    await Promise.all(owned.map(({ run }) => this.settler.forget(run)));
    await Promise.all(owned.map(({ run, epoch }) => this.mailboxes.put(run, () => this.handBackPatiently(run, epoch))));
  }

  private async handBackUnknown(): Promise<void> {
    try {
      for (const { run, epoch } of await this.claims.ownUnknown()) {
        this.halfTaken.add(run);
        await this.mailboxes.put(run, () => this.handBackPatiently(run, epoch));
      }
    } catch (problem) {
      this.ports.log('warn', 'could not look for runs to hand back', { problem: String(problem) });
    }
  }

  private isBusy(): boolean {
    return this.settler.ownedRuns.some((run) => this.settler.inFlight(run).some(leavesSomethingBehind));
  }

  /** Others may already have taken our runs: end every agent now, then see what is still ours to give back. */
  private async startOver(): Promise<void> {
    this.ports.log('warn', 'silent too long: this worker ends its agents', { worker: this.options.worker });
    const named = [...this.named];
    await this.handBackAll();
    if (this.options.claimsAny) void this.claims.look();
    for (const run of named) await this.drive(run);
  }

  /** Events of others on runs we know or could take. Our own are folded already. */
  private onEvent({ run, seq }: EventHead): void {
    if (this.cache.hasSeen(run, seq)) return;
    // A run at work here may be just being created by us: who wrote the event is seen when that is done.
    if (this.cache.peek(run) || this.mailboxes.isBusy(run)) this.inBackground(run, () => this.seeOthers(run, seq));
    else this.lookForWork();
  }

  private lookForWork(): void {
    if (this.options.claimsAny && !this.stopping) void this.claims.look();
  }

  /** Work nobody waits for. When it fails, the run is read anew and the next look for work mends the rest. */
  private inBackground(run: RunId, work: () => Promise<void>): void {
    this.mailboxes.put(run, work).catch((problem) => {
      this.cache.forget(run);
      this.ports.log('warn', 'could not follow a run', { run, problem: String(problem) });
    });
  }

  /** What was called off is gone at last: the run may rest now. */
  private async seeEnded(run: RunId): Promise<void> {
    if (this.settler.epochOf(run) === undefined) return;
    const folded = await this.cache.open(run);
    if (folded) await this.afterEvents(folded, false);
  }

  private async seeOthers(run: RunId, seq: number): Promise<void> {
    if (this.cache.hasSeen(run, seq)) return;
    const folded = await this.cache.catchUp(run);
    if (folded) await this.afterEvents(folded, false);
    else this.lookForWork();
  }
}

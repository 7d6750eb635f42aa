/**
 * Keeps the world in step with the state of the runs this process owns.
 *
 * S1 After ANY event of an owned run, whoever wrote it: start what is outstanding and not in flight, abort what is in
 *    flight and no longer outstanding. So a cancel reaches an agent that another process started.
 * S2 An effect is started at most once per ownership: it stays in flight until an event removes it from the state.
 * S3 What works on a run works alone: nothing that touches the world begins while what was called off still ends.
 * S4 What became of an effect is said with the epoch under which it was started. Fenced means: somebody else owns the
 *    run now; end everything, forget it, never retry.
 */

import type { Effect } from '../core/kernel/effect.js';
import type { How, Outcome } from './dispatch.js';
import type { FoldedRun } from './folded-run.js';
import type { Lanes } from './lanes.js';
import type { LoginLanes } from './login-lanes.js';
import type { AnyCommand } from './machines.js';
import { leavesSomethingBehind } from './ownership.js';
import { pause } from './pause.js';
import type { Ports, RunId } from './ports.js';
import type { Context, Ran } from './runners/context.js';
import { failedInstead } from './runners/failed-instead.js';
import { runEffect } from './runners/run-effect.js';
import type { Origin } from './seal.js';
import { Stop, type StopSignal } from './stop-signal.js';
import type { SystemRun } from './system/system-run.js';

/** A result that could not be written (full disk, busy store) is kept and tried again after this long. */
const WRITE_AGAIN_MS = 1000;
const ENGINE: Origin = { actor: 'engine' };

/** `ended` is about the world alone: writing the result down waits for the run's mailbox, which may be ours just now. */
type Flight = { effect: Effect; stop: Stop; ended: Promise<unknown>; isOver: boolean };
type Owned = { epoch: number; flights: Map<string, Flight> };

/** An effect that could not even be begun (the store did not answer) is begun again after this long. */
const RUN_AGAIN_MS = 1000;

export type Surroundings = {
  ports: Ports;
  lanes: Lanes;
  logins: LoginLanes;
  system: SystemRun;
  send(run: RunId, command: AnyCommand, origin: Origin, how?: How): Promise<Outcome>;
  watch: Context['watch'];
  child: Context['child'];
  drive: Context['drive'];
  /** Everything that was told to end has ended: the run may be handed back now. */
  onEnded(run: RunId): void;
};

export class Settler {
  private readonly owned = new Map<RunId, Owned>();
  private readonly around: Surroundings;
  private stopping = false;
  private readonly ending = new Set<{ run: RunId; ended: Promise<unknown> }>();

  constructor(around: Surroundings) {
    this.around = around;
  }

  /** From now on nothing new is started; what is under way may end. */
  startNothing(): void {
    this.stopping = true;
  }

  own(run: RunId, epoch: number): void {
    this.owned.set(run, { epoch, flights: new Map() });
  }

  epochOf(run: RunId): number | undefined {
    return this.owned.get(run)?.epoch;
  }

  get ownedRuns(): RunId[] {
    return [...this.owned.keys()];
  }

  /** True when the run owes nothing any more, so that it need not be owned. */
  settle({ run, machine, state }: FoldedRun): boolean {
    const owned = this.owned.get(run);
    if (!owned) return false;
    const effects = new Map<string, Effect>();
    for (const effect of machine.outstanding(state)) effects.set(effect.key, effect);
    for (const [key, flight] of owned.flights) {
      if (effects.has(key)) continue;
      this.end(run, flight);
      owned.flights.delete(key);
    }
    this.holdLanes(run, effects.values());
    if (!this.stopping) {
      for (const effect of effects.values()) {
        // S3: `onEnded` comes back here.
        const waits = leavesSomethingBehind(effect) && this.isEnding(run);
        if (!owned.flights.has(effect.key) && !waits) this.start(run, owned, effect);
      }
    }
    // Kept until its processes are gone: were we killed before, whoever takes the run over would have to end them.
    if (effects.size > 0 || this.isEnding(run)) return false;
    this.owned.delete(run);
    return true;
  }

  /** Ends everything under way for a run and forgets it; resolves when it has ended. */
  async forget(run: RunId): Promise<void> {
    const owned = this.owned.get(run);
    this.owned.delete(run);
    this.releaseOthers(run, new Set());
    if (!owned) return this.whatIsEnding(run);
    for (const flight of owned.flights.values()) this.end(run, flight);
    await this.whatIsEnding(run);
  }

  /** Resolves when nothing that was told to end lives on, in one run or in all. */
  async whatIsEnding(run?: RunId): Promise<void> {
    const ending = [...this.ending].filter((one) => run === undefined || one.run === run);
    await Promise.all(ending.map(({ ended }) => ended));
  }

  /**
   * Only what lives on in the world is waited for: a Tell waits for another run's mailbox, which may wait for ours. What
   * is over may wait to be written down; from here on nobody is to write it.
   */
  private end(run: RunId, { stop, isOver, effect, ended }: Flight): void {
    stop.abort();
    if (isOver || !leavesSomethingBehind(effect)) return;
    const one = { run, ended };
    this.ending.add(one);
    void ended.then(() => {
      this.ending.delete(one);
      if (this.owned.has(run) && !this.isEnding(run)) this.around.onEnded(run);
    });
  }

  private isEnding(run: RunId): boolean {
    for (const one of this.ending) if (one.run === run) return true;
    return false;
  }

  /** Nothing of the run lives in the world. */
  private isQuiet(run: RunId): boolean {
    const flights = [...(this.owned.get(run)?.flights.values() ?? [])];
    return !this.isEnding(run) && flights.every(({ isOver, effect }) => isOver || !leavesSomethingBehind(effect));
  }

  /** Effects of a run that are under way and of a kind. */
  inFlight(run: RunId): Effect[] {
    return [...(this.owned.get(run)?.flights.values() ?? [])].map(({ effect }) => effect);
  }

  private holdLanes(run: RunId, effects: Iterable<Effect>): void {
    const admitted = new Set<string>();
    const asking = new Set<string>();
    for (const effect of effects) {
      if (effect.type === 'Admit') admitted.add(effect.lane);
      if (effect.type === 'Ask' && effect.lane !== undefined) asking.add(effect.lane);
    }
    this.releaseOthers(run, new Set([...admitted, ...asking]));
    const { lanes, logins, ports } = this.around;
    for (const lane of asking) {
      lanes.hold(lane, run);
      logins.hold(lane, run).catch((problem) => {
        ports.log('warn', 'a place of a login is not held', { run, lane, problem: String(problem) });
      });
    }
  }

  private releaseOthers(run: RunId, lanes: ReadonlySet<string>): void {
    this.around.lanes.releaseOthers(run, lanes);
    this.around.logins.releaseOthers(run, lanes);
  }

  private start(run: RunId, owned: Owned, effect: Effect): void {
    const stop = new Stop();
    const { ports, lanes, logins, system, watch, child, drive } = this.around;
    const tell: Context['tell'] = (other, command, origin) => this.around.send(other, command, origin);
    const around = { lanes, logins, system, tell, watch, child, drive };
    const context: Context = { ports, run, epoch: owned.epoch, signal: stop, ...around };
    const ended = this.run(context, effect);
    const flight: Flight = { effect, stop, ended, isOver: false };
    owned.flights.set(effect.key, flight);
    void ended.then((ran) => {
      flight.isOver = true;
      return this.record(run, owned.epoch, stop, ran);
    });
  }

  private async run(context: Context, effect: Effect): Promise<Ran> {
    const { ports, run, signal } = context;
    while (!signal.aborted) {
      try {
        return await runEffect(context, effect);
      } catch (problem) {
        ports.log('warn', 'an effect could not be begun yet', { run, key: effect.key, problem: String(problem) });
        await pause(ports.clock, RUN_AGAIN_MS);
      }
    }
    return undefined;
  }

  /**
   * An answer that was paid for is not dropped because the disk is full: it is written when it can be. What can never be
   * written has failed, so that the run does not wait for it for ever.
   */
  private async record(run: RunId, fence: number, signal: StopSignal, ran: Ran): Promise<void> {
    if (!ran) return;
    const { ports, send } = this.around;
    const { bodies = [] } = ran;
    let { command } = ran;
    while (!signal.aborted) {
      try {
        const mayHandBack = (): boolean => this.isQuiet(run);
        const outcome = await send(run, command, { ...ENGINE, bodies }, { fence, mayHandBack });
        if (outcome.type !== 'refused') return;
        const { refusal } = outcome;
        // A lost race says nothing about the result.
        const isLostRace = refusal.code === 'CONCURRENCY_CONFLICT';
        ports.log(isLostRace ? 'warn' : 'error', 'a result was refused', { run, key: command.key, ...refusal });
        if (isLostRace) continue;
        if (command !== ran.command) return;
        command = failedInstead(command, refusal);
      } catch (problem) {
        ports.log('warn', 'a result could not be written yet', { run, problem: String(problem) });
        await pause(ports.clock, WRITE_AGAIN_MS);
      }
    }
  }
}

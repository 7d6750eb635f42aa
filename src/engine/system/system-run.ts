import type { FailureKind, PathClaim } from '../../core/kernel/effect.js';
import { PARK_MS_DEFAULT, PARK_MS_MIN } from '../../core/kernel/provider-wait.js';
import { SYSTEM_KIND, SYSTEM_RUN } from '../../core/kernel/system-run.js';
import { isLost } from '../../core/system/system-decider.js';
import type { SystemCommand, SystemState } from '../../core/system/system-messages.js';
import type { How, Outcome } from '../dispatch.js';
import type { Machines } from '../machines.js';
import type { Ports, RunId } from '../ports.js';
import { RunCache } from '../run-cache.js';
import type { Origin } from '../seal.js';
import type { StopSignal } from '../stop-signal.js';
import { BudgetGate } from './budget-gate.js';

/** A change is heard of at once; this is for a clock that was set, and for a process that could not be heard. */
const LOOK_AGAIN_MS = 5_000;
const LOOK_MS_MIN = 250;
const HOUSEKEEPING: Origin = { actor: 'housekeeping' };

type Surroundings = {
  ports: Ports;
  machines: Machines;
  send(run: RunId, command: { type: string }, origin: Origin, how: How): Promise<Outcome>;
  watch(run: RunId, call: () => void): () => void;
};
type Failure = { failure: FailureKind; retryAfterMs?: number };

/** What all processes on one store agree about: which paths are taken, and which logins cannot be used now. */
export class SystemRun {
  private readonly around: Surroundings;
  private readonly cache: RunCache;
  private reading: Promise<unknown> = Promise.resolve();
  /** Not begun yet, so that it will see all there is now. */
  private nextRead: Promise<SystemState | undefined> | undefined;
  readonly budgets: BudgetGate;

  constructor(around: Surroundings) {
    this.around = around;
    this.cache = new RunCache(around.ports.store, around.machines);
    this.budgets = new BudgetGate({
      ports: around.ports,
      state: () => this.state(),
      send: (command) => this.send(command),
      change: (ms, signal) => this.change([SYSTEM_RUN], ms, signal),
    });
  }

  /** Resolves when the paths are the run's own; false when the signal said stop before. */
  async lock(run: RunId, claim: PathClaim, signal: StopSignal): Promise<boolean> {
    while (!signal.aborted) {
      await this.unlockIdle(run);
      const atMs = this.around.ports.clock.nowMs();
      const outcome = await this.send({ type: 'Lock', atMs, holder: run, ...claim });
      if (outcome.type !== 'refused') return true;
      const { holder } = (outcome.refusal.details ?? {}) as { holder?: RunId };
      await this.change([SYSTEM_RUN, holder ?? SYSTEM_RUN], LOOK_AGAIN_MS, signal);
    }
    return false;
  }

  /** A run at rest has no paths, whoever forgot to give them back. */
  private async unlockIdle(run: RunId): Promise<void> {
    const locks = [...((await this.state())?.locks ?? [])];
    for (const [holder, { token }] of locks) {
      if (holder === run || (await this.works(holder))) continue;
      await this.send({ type: 'Unlock', atMs: this.around.ports.clock.nowMs(), holder, token });
    }
  }

  private async works(run: RunId): Promise<boolean> {
    const row = await this.around.ports.store.run(run);
    if (row?.waitingFor === 'budget') return false;
    return row !== undefined && (row.owes || row.wakeAtMs !== null || row.waitingFor === 'turn');
  }

  /** Resolves when the login may be used; false when the signal said stop before. */
  async ready(login: string, { patient }: { patient: boolean }, signal: StopSignal): Promise<boolean> {
    while (!signal.aborted) {
      const closed = (await this.state())?.logins.get(login);
      if (!closed) return true;
      const waitMs = closed.untilMs - this.around.ports.clock.nowMs();
      const lost = isLost(closed);
      if (!lost && (waitMs <= 0 || !patient)) return true;
      if (lost && waitMs <= 0 && (await this.mayTry(login))) return true;
      await this.change([SYSTEM_RUN], Math.min(Math.max(waitMs, LOOK_MS_MIN), LOOK_AGAIN_MS), signal);
    }
    return false;
  }

  /** What came of an ask: undefined is an answer. Whoever comes next need not find it out again. */
  async asked(login: string, failed: Failure | undefined): Promise<void> {
    const atMs = this.around.ports.clock.nowMs();
    try {
      if (!failed) {
        if ((await this.state())?.logins.has(login)) await this.send({ type: 'FindLogin', atMs, login });
      } else if (failed.failure === 'login') await this.send({ type: 'LoseLogin', atMs, login });
      else if (failed.failure === 'limit') {
        const waitMs = failed.retryAfterMs ?? PARK_MS_DEFAULT;
        if (waitMs > PARK_MS_MIN) await this.send({ type: 'LimitLogin', atMs, login, untilMs: atMs + waitMs });
      }
    } catch (problem) {
      // The run that asked decides by itself; only the others are spared less.
      this.around.ports.log('warn', 'what is known of a login was not kept', { login, problem: String(problem) });
    }
  }

  private async mayTry(login: string): Promise<boolean> {
    const outcome = await this.send({ type: 'TryLogin', atMs: this.around.ports.clock.nowMs(), login });
    return outcome.type !== 'refused';
  }

  /** One after the other: who folds the same events at once folds them twice. Who waits for the same read shares it. */
  private state(): Promise<SystemState | undefined> {
    if (this.nextRead) return this.nextRead;
    const next = this.reading.then(() => {
      this.nextRead = undefined;
      return this.read();
    });
    this.nextRead = next;
    this.reading = next.catch(() => undefined);
    return next;
  }

  private async read(): Promise<SystemState | undefined> {
    await this.cache.open(SYSTEM_RUN);
    return (await this.cache.catchUp(SYSTEM_RUN))?.state as SystemState | undefined;
  }

  private send(command: SystemCommand): Promise<Outcome> {
    return this.around.send(SYSTEM_RUN, command, HOUSEKEEPING, { create: SYSTEM_KIND });
  }

  /** Resolves when one of the runs has changed, after a while, or when told to stop. */
  private change(runs: readonly RunId[], ms: number, signal: StopSignal): Promise<void> {
    if (signal.aborted) return Promise.resolve();
    return new Promise((resolve) => {
      const end = (): void => {
        for (const unwatch of watches) unwatch();
        cancel();
        signal.removeEventListener('abort', end);
        resolve();
      };
      const watches = runs.map((run) => this.around.watch(run, end));
      const cancel = this.around.ports.clock.after(ms, end);
      signal.addEventListener('abort', end);
    });
  }
}

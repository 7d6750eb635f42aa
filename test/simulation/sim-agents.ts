import { type Ask, type Exec, type FailureKind, NO_USAGE, type Perform } from '../../src/core/kernel/effect.js';
import type { Agents, AskOutcome, Commands, Held } from '../../src/engine/ports.js';
import type { MemoryJournal } from '../../src/store/memory/journal.js';
import { type Kind, kindOf } from './kinds.js';
import type { Seeded } from './seeded.js';
import { answerTo, jobAnswer, SAYINGS } from './sim-answers.js';
import type { SimProcess } from './sim-process.js';
import { isOfHands, modelAnswer } from './sim-session.js';
import type { Witness } from './witness.js';
import type { World } from './world.js';

export const USAGE = { inputTokens: 100, outputTokens: 20, costMicroUsd: 1000 };
const HANGS_MS = 10_000_000;
const WORKS_MS_MAX = 3000;
/** Between being told to stop and being gone. */
const DIES_MS_MAX = 400;
/** Until the row of a new process is durable. */
const RECORDED_MS_MAX = 20;
const FAILURES: Readonly<Record<Kind, readonly FailureKind[]>> = {
  errand: ['network', 'crash', 'limit', 'auth'],
  job: ['network', 'network', 'crash', 'crash', 'limit', 'limit', 'auth', 'login'],
  session: ['network', 'network', 'crash', 'limit', 'auth', 'refused'],
};
/** Until a provider is ready again: soon, and so late that work is parked. */
const WAITS_MS = [2000, 90_000];

type Working = {
  run: string;
  key: string;
  by: SimProcess;
  lane: string | null;
  admitted: boolean;
  /** Beside others of its run, where they allow it too. */
  beside?: boolean;
  hangs?: boolean;
  dying: boolean;
  onEnded: () => void;
};

/**
 * Agents, commands and deeds outlive the process that started them, as real ones do: only ending them ends them, and that
 * takes a moment. The room notices when two work on one run at the same time, and when a lane is too full.
 */
export class AgentRoom {
  readonly working = new Set<Working>();
  readonly problems: string[] = [];
  readonly asked: string[] = [];
  /** Each yes that an agent was started with, and with which ask. */
  private readonly usedYes = new Map<string, string>();
  /** Commands of sessions: each is begun once under its name. */
  private readonly begun = new Set<string>();
  /** While trouble is on, agents fail and hang; afterwards they answer. */
  trouble = true;
  readonly laneLimit: number;
  private readonly world: World;
  private readonly chance: Seeded;
  private readonly journal: MemoryJournal;
  private readonly witness: Witness;

  constructor(world: World, chance: Seeded, journal: MemoryJournal, witness: Witness) {
    this.world = world;
    this.chance = chance;
    this.journal = journal;
    this.witness = witness;
    this.laneLimit = 1 + chance.below(2);
  }

  agentsFor(process: SimProcess): Agents {
    return {
      ask: (held, ask, _request, signal) => this.ask(process, held, ask, signal),
      endLeftover: async (run, key) => {
        const left = [...this.working].filter((one) => one.run === run && (key === undefined || one.key === key));
        for (const one of left) this.endFromOutside(one);
        this.world.note(`${process.name} ends what is left of ${key} of ${run}: ${left.length}`);
        return left.length > 0 ? USAGE : NO_USAGE;
      },
    };
  }

  commandsFor(process: SimProcess): Commands {
    return { execute: (held, exec, signal) => this.execute(process, held, exec, signal) };
  }

  /** Who still works for a process that is gone or says it is done. */
  workingFor(process: SimProcess): string[] {
    return [...this.working].filter(({ by }) => by === process).map(({ run, key }) => `${key} of ${run}`);
  }

  private async ask(by: SimProcess, held: Held, ask: Ask, signal: AbortSignal): Promise<AskOutcome> {
    const { run } = held;
    const { key, agent } = ask;
    if (!(await this.letThrough(by, held, signal))) {
      return { type: 'failed', failure: 'crash', reason: 'not started', usage: NO_USAGE };
    }
    this.asked.push(`${run} ${key}`);
    this.checkYes(run, ask);
    const admitted = wasAdmitted(this.journal, run);
    if (admitted) this.checkLane(by, run, agent);
    const end = await this.work({ run, key, by, lane: agent, admitted, dying: false, onEnded: () => {} }, signal);
    if (end === 'ended') return { type: 'failed', failure: 'crash', reason: 'ended', usage: USAGE };
    if (this.trouble && this.chance.chance(0.15)) {
      const failure = this.chance.pick(FAILURES[kindOf(run)]);
      return { type: 'failed', failure, reason: 'simulated', usage: USAGE, ...this.waitAfter(failure) };
    }
    if (this.trouble && kindOf(run) === 'job' && this.chance.chance(0.2)) return asksLeave(run, ask);
    return { type: 'answered', text: this.answerOf(run, ask), usage: USAGE };
  }

  /** What was allowed once is done once: whoever is started with it may have done it. */
  private checkYes(run: string, { key, attempt, verdict }: Ask): void {
    if (verdict?.decision !== 'approved') return;
    const before = this.usedYes.get(verdict.hash);
    if (before !== undefined)
      this.problems.push(`${run}: the yes to ${verdict.what} is used by ${before} and ${key}.${attempt}`);
    this.usedYes.set(verdict.hash, `${key}.${attempt}`);
  }

  private answerOf(run: string, ask: Ask): string {
    const { key, attempt } = ask;
    if (kindOf(run) === 'errand') return answerTo(run, key);
    if (kindOf(run) === 'session') return modelAnswer(run, ask, this.chance, this.trouble);
    return jobAnswer(this.trouble ? this.chance.pick(SAYINGS) : 'COMPLETED', run, key, attempt);
  }

  private waitAfter(failure: FailureKind): { retryAfterMs?: number } {
    return failure === 'limit' && this.chance.chance(0.8) ? { retryAfterMs: this.chance.pick(WAITS_MS) } : {};
  }

  private async execute(by: SimProcess, held: Held, { key }: Exec, signal: AbortSignal) {
    const { run } = held;
    if (!(await this.letThrough(by, held, signal))) return { exitCode: null, output: 'not started' };
    const end = await this.work({ run, key, by, lane: null, admitted: false, dying: false, onEnded: () => {} }, signal);
    return { exitCode: end === 'ended' ? null : this.chance.chance(0.8) ? 0 : 1, output: 'checked' };
  }

  /** Where a deed is done: it occupies the run as an agent does, but never forgets to end. */
  async occupy(by: SimProcess, held: Held, effect: Perform, signal: AbortSignal): Promise<'finished' | 'ended'> {
    const { run } = held;
    const { key } = effect;
    if (!(await this.letThrough(by, held, signal)) || signal.aborted) return 'ended';
    const beside = isOfHands(effect);
    if (beside && this.begun.has(`${run} ${key}`)) this.problems.push(`${run}: ${key} had begun and is begun again`);
    this.begun.add(`${run} ${key}`);
    const working: Working = { run, key, by, lane: null, admitted: false, beside, dying: false, onEnded: () => {} };
    return this.work(working, signal, beside);
  }

  /** Whether a command of a session runs that will never end by itself. */
  hangs(run: string): boolean {
    return [...this.working].some((one) => one.run === run && one.beside && one.hangs);
  }

  /** The gate: a process runs once its row is durable, and only the owner of the run can write that. */
  private letThrough(by: SimProcess, { run, epoch }: Held, signal: AbortSignal): Promise<boolean> {
    return new Promise((resolve) => {
      this.world.after(this.chance.below(RECORDED_MS_MAX), () => {
        const row = this.journal.runs.get(run);
        const recorded = row?.epoch === epoch && row.owner === by.name;
        // A new owner ends also what was recorded and still waits for its release.
        by.clock.after(0, () => resolve(recorded && !signal.aborted && this.journal.runs.get(run)?.epoch === epoch));
      });
    });
  }

  private work(working: Working, signal: AbortSignal, mayHang = true): Promise<'finished' | 'ended'> {
    const { run, key, by } = working;
    if (signal.aborted) return Promise.resolve('ended');
    this.witness.starts(by, run, key);
    for (const other of this.working) {
      if (other.run !== run || (other.beside && working.beside && other.key !== key)) continue;
      this.problems.push(`${run}: ${key} by ${by.name} while ${other.key} by ${other.by.name}`);
    }
    this.working.add(working);
    this.world.note(`${by.name} starts ${key} of ${run}`);
    const hangs = mayHang && this.trouble && this.chance.chance(working.beside ? 0.15 : 0.05);
    working.hangs = hangs;
    return new Promise((resolve) => {
      const finish = this.world.after(hangs ? HANGS_MS : 1 + this.chance.below(WORKS_MS_MAX), () => {
        // What it says reaches the process that asked, unless that died or somebody ended the agent meanwhile.
        if (!this.working.delete(working)) return;
        this.world.note(`${key} of ${run} is finished`);
        by.clock.after(0, () => resolve('finished'));
      });
      working.onEnded = () => {
        finish();
        by.clock.after(0, () => resolve('ended'));
      };
      signal.addEventListener('abort', () => {
        finish();
        working.dying = true;
        this.world.after(this.chance.below(DIES_MS_MAX), () => {
          if (this.working.delete(working)) this.world.note(`${key} of ${run} is ended by ${by.name}`);
          by.clock.after(0, () => resolve('ended'));
        });
      });
    });
  }

  /** Whoever started it, if still alive, sees a process that was killed. */
  private endFromOutside(working: Working): void {
    this.working.delete(working);
    working.onEnded();
  }

  /** What was taken over may go on above the limit; what was admitted here may not. */
  private checkLane(by: SimProcess, run: string, lane: string): void {
    const others = [...this.working].filter(
      (one) => one.by === by && one.lane === lane && one.admitted && !one.dying && one.run !== run,
    );
    if (others.length >= this.laneLimit) {
      this.problems.push(`${by.name}: ${run} is the ${others.length + 1}. in ${lane} of ${this.laneLimit}`);
    }
  }
}

/** By the hash it is known who asked. */
function asksLeave(run: string, { key, attempt }: Ask): AskOutcome {
  const what = `push ${key}`;
  const wanted = { kind: 'exec', what, cwd: '/', why: null, hash: `${run} ${key}.${attempt}` } as const;
  return { type: 'asks', wanted, usage: USAGE, thread: `thread of ${key}` };
}

/** Came through the queue, and was not taken over since. A job that is taken over queues again. */
function wasAdmitted(journal: MemoryJournal, run: string): boolean {
  if (kindOf(run) === 'job') return true;
  if (kindOf(run) === 'session') return false;
  const marks = journal.eventsOf(run).filter(({ type }) => type === 'Queued' || type === 'StepLost');
  return marks.at(-1)?.type === 'Queued';
}

import type { Claim, LedgerBoard, LedgerObject } from '../../contracts/api/ledger-shapes.js';
import type { Assignment } from '../../contracts/generated/types/assignment.js';
import type { HandoffBundle } from '../../contracts/generated/types/handoff-bundle.js';
import type { Delta } from '../../contracts/generated/types/orchestrator-output.js';
import type { WorklogEntry } from '../../contracts/generated/types/worklog-entry.js';
import { deltasOf, ledgerDelta } from '../../contracts/operator/ledger-delta.js';
import { parseContract } from '../../contracts/shared/contract.js';
import { BatonError } from '../../contracts/shared/errors.js';
import type { Limits } from '../../core/kernel/budget.js';
import type { BlockerAnswer, LedgerCommand, Pace } from '../../core/ledger/ledger-messages.js';
import type { LiveLedger, TaskRow } from '../../core/ledger/ledger-state.js';
import { silenceMs } from '../../core/task/silence-limit.js';
import { orThrow } from '../dispatch.js';
import type { Engine } from '../engine.js';
import type { AnyCommand, Machines } from '../machines.js';
import type { Ports, RunId, RunRow } from '../ports.js';
import { readRunOf } from '../read-run.js';
import type { Origin } from '../seal.js';
import { itemsOf } from '../shown/open-items.js';
import { assignmentOf } from './compose-assignment.js';
import { bundleOf } from './handoff-bundle.js';
import { ledgerBoard, ledgerIssues } from './ledger-board.js';
import { ledgerObject } from './ledger-object.js';
import {
  checkAgents,
  type LedgerOptions,
  type Objective,
  type Opening,
  openingOfBundle,
  openingOfObjective,
  openingOfPlan,
} from './open-ledger.js';
import { resultFor } from './take-result.js';
import { worklogEntries } from './worklog-entries.js';

type Surroundings = {
  ports: Ports;
  engine: Engine;
  machines: Machines;
  knowsAgent(id: string): Promise<boolean>;
  isPerson(id: string): Promise<boolean>;
  /** JSON, or Markdown whose front matter holds the fields. */
  readResult(text: string): Promise<{ value: object } | { reason: string }>;
};
type By = Pick<Origin, 'actor' | 'key'>;
type Timeless<Command> = Command extends { atMs: number } ? Omit<Command, 'atMs'> : never;
type Told = Timeless<Exclude<LedgerCommand, { key: string }>>;

/** Who hands in or beats: the number of its claim, or null after an assignment by name. */
export type Held = { epoch: number | null };

const SECOND_MS = 1_000;
const FUTURE_MS_MAX = 30_000;

/** What people and programs do with operator runs, in terms of the contract. */
export class OperatorService {
  private readonly around: Surroundings;

  constructor(around: Surroundings) {
    this.around = around;
  }

  /** From a plan. Nothing is begun. */
  init(input: unknown, options: LedgerOptions, by: By): Promise<RunId> {
    return this.open(
      openingOfPlan(input, options, () => this.around.ports.ids.uuid()),
      by,
    );
  }

  /** From what somebody else has handed over. */
  takeOver(bundle: unknown, options: LedgerOptions, by: By): Promise<RunId> {
    return this.open(
      openingOfBundle(bundle, options, () => this.around.ports.ids.uuid()),
      by,
    );
  }

  /** Without a plan: whoever plans is asked for one, which is judged before anything is begun. */
  async plan(said: Objective, options: LedgerOptions & { planner: string }, by: By): Promise<RunId> {
    const opening = openingOfObjective(said, options, () => this.around.ports.ids.uuid());
    const run = await this.open(opening, by);
    await this.replan(run, withoutKey(by));
    return run;
  }

  async replan(run: RunId, by: By): Promise<void> {
    await this.send(run, { type: 'Plan' }, by);
  }

  private async open(opening: Opening, by: By): Promise<RunId> {
    const { ports, engine } = this.around;
    await checkAgents(opening, (agent) => this.knows(agent));
    const { run } = opening.order;
    const there = await ports.store.run(run);
    if (there && (!by.key || there.kind !== 'ledger')) {
      throw new BatonError('ID_TAKEN', `there is a run ${run} already`, { run_id: run });
    }
    const command = { type: 'Open', atMs: ports.clock.nowMs(), ...opening };
    const outcome = orThrow(await engine.create(run, 'ledger', command, { ...by, answer: () => run }));
    return outcome.type === 'repeated' ? outcome.answer : run;
  }

  /** Agents are asked until nothing more can be done, by whoever drives the run. */
  async go(run: RunId, pace: Partial<Pace>, by: By): Promise<void> {
    for (const agent of [pace.agent, pace.fallback]) if (agent) await this.knows(agent);
    const { concurrency = null, agent = null, fallback = null } = pace;
    await this.send(run, { type: 'Go', concurrency, agent, fallback }, by);
  }

  /** Throws when there is no such agent, or it is a person: those take tasks, and are not asked for them. */
  async knows(agent: string): Promise<void> {
    const { knowsAgent, isPerson } = this.around;
    if (!(await knowsAgent(agent))) throw new BatonError('AGENT_NOT_FOUND', `there is no agent ${agent}`, { agent });
    if (!(await isPerson(agent))) return;
    const reason = `${agent} is a person, who takes a task with baton operator assign or claim`;
    throw new BatonError('USAGE', reason, { agent });
  }

  async assign(run: RunId, task: string, owner: string, by: By): Promise<Assignment> {
    const ledger = await this.send(run, { type: 'Assign', task, owner }, by);
    return packetOf(ledger, rowIn(ledger, task));
  }

  /** Whatever is next; everything null when there is nothing that could be begun now. */
  async claim(run: RunId, owner: string, by: By): Promise<Claim> {
    const answer = (ledger: object): string => JSON.stringify(claimed(ledger as LiveLedger));
    const outcome = await this.sent(run, { type: 'Claim', owner }, { ...by, answer });
    if (outcome.type === 'repeated') return JSON.parse(outcome.answer) as Claim;
    return outcome.events === 0 ? NOTHING_CLAIMED : claimed(outcome.folded.state as LiveLedger);
  }

  /** Stamped on arrival; `at` is only looked at, so that a clock that runs ahead is found out. */
  async heartbeat(run: RunId, task: string, { epoch, at }: Held & { at?: string }): Promise<void> {
    const { store, clock } = this.around.ports;
    const ledger = await this.state(run);
    const row = rowIn(ledger, task);
    if (row.status !== 'in_progress') {
      throw new BatonError('INVALID_TRANSITION', `${task} is ${row.status}: nobody works on it`, {
        status: row.status,
      });
    }
    if (row.epoch !== epoch) {
      const reason = `${task} is worked on under claim ${row.epoch ?? 'none'}, not ${epoch ?? 'none'}`;
      throw new BatonError('HANDOFF_LOST', reason, { task_id: task, epoch: row.epoch });
    }
    const nowMs = clock.nowMs();
    const saidMs = at === undefined ? nowMs : Date.parse(at);
    if (!(saidMs - nowMs <= FUTURE_MS_MAX)) {
      const reason = Number.isNaN(saidMs)
        ? `${JSON.stringify(at)} is no time`
        : `the heartbeat of ${task} lies ${Math.round((saidMs - nowMs) / SECOND_MS)} s in the future`;
      throw new BatonError('SCHEMA_INVALID', reason, { path: '/at' });
    }
    await store.hear(run, task, nowMs);
  }

  /** The same, of a text as an agent writes it. */
  async resultText(run: RunId, text: string, held: Held, by: By): Promise<void> {
    await this.result(run, await this.readResult(text), held, by);
  }

  async readResult(text: string): Promise<object> {
    const read = await this.around.readResult(text);
    if ('reason' in read) throw new BatonError('SCHEMA_INVALID', read.reason);
    return read.value;
  }

  /** Held against the assignment; refused, it moves nothing. */
  async result(run: RunId, input: unknown, { epoch }: Held, by: By): Promise<void> {
    const ledger = await this.state(run);
    const task = taskNamed(input);
    const row = rowIn(ledger, task);
    const { outcome, shown } = resultFor(input, packetOf(ledger, row));
    await this.send(run, { type: 'HandIn', task, epoch, outcome, shown }, by);
  }

  /** In their order; what came before one that is refused stays, and a repeat of all of them goes on behind it. */
  async delta(run: RunId, input: unknown, by: By): Promise<void> {
    const deltas = deltasOf(parseContract(ledgerDelta, input));
    let ledger = await this.state(run);
    for (const [index, delta] of deltas.entries()) {
      const { x_base_version } = delta;
      const base = x_base_version === undefined ? null : index === 0 ? x_base_version : ledger.version;
      ledger = await this.send(run, { type: 'TakeDelta', delta: delta as Delta, base }, withoutKey(by));
    }
  }

  /** Looks now who is silent, and what has waited long enough. */
  async tick(run: RunId, by: By): Promise<void> {
    const beats = Object.fromEntries(await this.around.ports.store.heard(run));
    await this.send(run, { type: 'Tick', beats }, by);
  }

  /** Throws with every contradiction there is. */
  async reconcile(run: RunId): Promise<void> {
    const issues = ledgerIssues(await this.state(run));
    const [first] = issues;
    if (first) throw new BatonError('LEDGER_INCONSISTENT', first.reason, { issues });
  }

  async answer(run: RunId, question: number, answer: BlockerAnswer, by: By): Promise<void> {
    await this.send(run, { type: 'AnswerBlocker', question, answer }, by);
  }

  async raise(run: RunId, limits: Limits, by: By): Promise<void> {
    await this.send(run, { type: 'Raise', limits }, by);
  }

  async object(run: RunId): Promise<LedgerObject> {
    return ledgerObject(await this.state(run));
  }

  async board(run: RunId): Promise<LedgerBoard> {
    const { store, clock } = this.around.ports;
    const ledger = await this.state(run);
    const [row, heard] = await Promise.all([store.run(run), store.heard(run)]);
    const items = ledger.questions.size > 0 ? await itemsOf(store, run) : [];
    return ledgerBoard(ledger, { row: row as RunRow, atMs: clock.nowMs(), heard, items });
  }

  async worklog(run: RunId, task: string | null): Promise<WorklogEntry[]> {
    const ledger = await this.state(run);
    if (task !== null) rowIn(ledger, task);
    return worklogEntries(this.around.ports.store, run, task);
  }

  async handoff(run: RunId): Promise<HandoffBundle> {
    const { store, clock } = this.around.ports;
    return bundleOf(await this.state(run), await store.heard(run), clock.nowMs());
  }

  async state(run: RunId): Promise<LiveLedger> {
    const { ports, machines } = this.around;
    return (await readRunOf(ports.store, machines, 'ledger', run)).state as LiveLedger;
  }

  /** Gives the ledger a command, and answers with what it is then. */
  private async send(run: RunId, command: Told, by: By): Promise<LiveLedger> {
    const outcome = await this.sent(run, command, by);
    return outcome.type === 'accepted' ? (outcome.folded.state as LiveLedger) : this.state(run);
  }

  private async sent(run: RunId, command: Told, origin: Origin) {
    const { ports, engine } = this.around;
    const row = await ports.store.run(run);
    if (row?.kind !== 'ledger') await this.state(run);
    const timed: AnyCommand & { atMs: number } = { ...command, atMs: ports.clock.nowMs() };
    const outcome = orThrow(await engine.send(run, timed, origin));
    if (outcome.type === 'fenced') throw new Error(`${run}: a command has no epoch`);
    return outcome;
  }
}

const NOTHING_CLAIMED: Claim = { assignment: null, epoch: null, expires_at: null };

/** What was claimed last. */
function claimed(ledger: LiveLedger): Claim {
  const row = [...ledger.active].map((task) => rowIn(ledger, task)).find(({ epoch }) => epoch === ledger.claims);
  if (!row) return NOTHING_CLAIMED;
  const expiresMs = row.givenMs + silenceMs(row.spec);
  return { assignment: packetOf(ledger, row), epoch: row.epoch, expires_at: new Date(expiresMs).toISOString() };
}

/** A key is for one command; deltas have keys of their own. */
function withoutKey({ actor }: By): By {
  return { actor };
}

function rowIn({ tasks }: LiveLedger, task: string): TaskRow {
  const row = tasks.get(task);
  if (row) return row;
  const reason = `there is no task ${task} in this run`;
  throw new BatonError('LEDGER_INCONSISTENT', reason, { issues: [{ task_id: task, reason }] });
}

/** Whoever names none is told by the contract what is missing. */
function taskNamed(input: unknown): string {
  const task = (input as { task_id?: unknown } | null)?.task_id;
  if (typeof task === 'string') return task;
  throw new BatonError('MISSING_REQUIRED_INPUT', '/task_id is missing', { path: '/task_id' });
}

function packetOf(ledger: LiveLedger, { spec }: TaskRow): Assignment {
  const { order, locks } = ledger;
  const others = [...locks.all()].filter(({ task }) => task !== spec.task_id);
  const context = [...order.context, ...(spec.context_package ?? [])];
  return assignmentOf({ ledger: order.run, spec, objective: order.objective, context, othersLocks: others });
}

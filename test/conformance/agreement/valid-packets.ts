/** One valid packet of each contract of 003, new every time. What is wrong with them is added by the twists. */

import type { Random } from '../../fuzz/random.js';
import type { OperatorContract } from '../second-opinion/second-opinion.js';
import { errorCode, howMany, momentAt, pathsApart, STATUSES, sentence, sometimes, taskIds, uuid } from './drawn.js';

type Lock = { task_id: string; resource: string; active: boolean };
type Row = { task_id: string; status: string; owner: string; dependencies: string[] };
type Tasklike = { task_id: string; lock_scope: string[]; acceptance_criteria: string[]; worklog_path: string };
export type ValidAssignment = { run_id: string; task: Tasklike };

const version = { schema_version: '1.0.0' };
const generated = (random: Random) => sometimes(random, () => ({ generated_at: momentAt(0) }));
const optionalHead = (random: Random) => sometimes(random, () => ({ ...version, run_id: uuid(random) }));

function some<T>(random: Random, least: number, one: (index: number) => T): T[] {
  return Array.from({ length: howMany(random, least) }, (_, index) => one(index));
}

function task(random: Random, task_id: string, dependencies: string[], paths: string[]): Tasklike {
  const timeout_seconds = 30 + random.below(3000);
  const cut = 1 + random.below(paths.length);
  return {
    task_id,
    title: sentence(random),
    type: random.pick(['parallelizable', 'serial']),
    dependencies,
    lock_scope: paths.slice(0, cut),
    forbidden_scope: paths.slice(cut),
    acceptance_criteria: some(random, 1, () => sentence(random)),
    worklog_path: `worklogs/${task_id}.jsonl`,
    timeout_seconds,
    heartbeat_interval_seconds: 5 + random.below(timeout_seconds - 5),
    ...sometimes(random, () => ({ priority: random.pick(['low', 'normal', 'high', 'critical']) })),
  } as Tasklike;
}

const contextPackage = (random: Random) =>
  some(random, 0, () => ({ kind: random.pick(['file', 'note', 'command', 'constraint']), value: sentence(random) }));

function locksOn(random: Random, paths: readonly string[], owners: readonly string[]): Lock[] {
  return paths.map((resource) => ({ task_id: random.pick(owners), resource, active: random.chance(0.8) }));
}

export function assignment(random: Random, run_id = uuid(random)): ValidAssignment {
  const [own = '', ...others] = taskIds(random, howMany(random, 2));
  const paths = pathsApart(random, howMany(random, 4));
  const taken = paths.splice(1 + random.below(paths.length - 1));
  return {
    ...version,
    run_id,
    packet_type: 'assignment',
    global_objective: sentence(random),
    task: task(random, own, others.slice(1), paths),
    active_locks: locksOn(random, taken, others),
    context_package: contextPackage(random),
    required_output_schema: 'subagent_result_v1',
    ...generated(random),
  } as ValidAssignment;
}

/** A result that answers the assignment in every respect. */
export function resultFor(random: Random, { run_id, task: asked }: ValidAssignment): object {
  const status = random.pick(['done', 'done', 'done', 'blocked', 'failed']);
  const verdicts = status === 'done' ? ['pass'] : ['pass', 'fail'];
  return {
    ...version,
    run_id,
    task_id: asked.task_id,
    status,
    changes: some(random, 0, () => change(random, asked)),
    acceptance_check: asked.acceptance_criteria.map((criterion) => ({
      criterion,
      status: random.pick(verdicts),
      evidence: 'npm test',
    })),
    worklog_path: asked.worklog_path,
    notes_for_orchestrator: Array.from({ length: random.below(6) }, () => sentence(random)),
    ...generated(random),
  };
}

function change(random: Random, { lock_scope, worklog_path }: Tasklike): object {
  const inside = random.pick(lock_scope);
  const resource = random.pick([inside, inside, `${inside}/new.ts`, `./${inside}`, worklog_path]);
  return { resource, action: 'edit', ...sometimes(random, () => ({ evidence: 'see the diff' })) };
}

/** Rows whose statuses agree with those they depend on; dependencies only ever point backwards. */
function ledger(random: Random): Row[] {
  const rows: Row[] = [];
  for (const task_id of taskIds(random, howMany(random, 1))) {
    const needed = rows.filter(() => random.chance(1.5 / (rows.length + 1)));
    const free = needed.every((row) => row.status === 'done');
    const status = free ? random.pick(STATUSES) : random.pick(['todo', 'blocked', 'failed', 'canceled']);
    const owner = status === 'in_progress' ? 'agent-1' : random.pick(['', 'agent-2']);
    rows.push({ task_id, status, owner, dependencies: needed.map((row) => row.task_id) });
  }
  return rows;
}

function reconcile(random: Random): object {
  const rows = ledger(random);
  const active = rows.filter((row) => row.status === 'in_progress').map((row) => row.task_id);
  const paths = pathsApart(random, howMany(random, 0));
  const history = rows
    .filter(() => random.chance(0.5))
    .flatMap((row) => [
      { task_id: row.task_id, status: random.pick(STATUSES), note: 'earlier' },
      { task_id: row.task_id, status: row.status },
    ]);
  const active_locks = active.length === 0 ? [] : locksOn(random, paths, active);
  return { ...optionalHead(random), ledger: rows, active_locks, events: history, ...generated(random) };
}

function delta(random: Random, task_id: string, status: string, delta_id: string): object {
  return {
    ...{ task_id, status, owner: 'orchestrator', reason: sentence(random), delta_id },
    ...sometimes(random, () => ({ last_heartbeat_at: momentAt(0) })),
    ...sometimes(random, () => ({ timed_out: random.chance(0.5), retry_after_ms: random.below(5000) })),
    ...sometimes(random, () => ({ x_base_version: random.below(100) })),
  };
}

function deltas(random: Random, known: readonly string[]): object[] {
  const born = new Set(known);
  const list = some(random, 1, (index) => {
    const task_id = `T-${random.below(6)}`;
    const status = born.has(task_id) ? random.pick(STATUSES) : 'todo';
    born.add(task_id);
    return delta(random, task_id, status, `d-${index}`);
  });
  return random.chance(0.2) ? [...list, { ...random.pick(list) }] : list;
}

function ledgerDelta(random: Random): unknown {
  const draw = random.below(3);
  if (draw === 0) return { ...optionalHead(random), ...delta(random, 'T-1', random.pick(STATUSES), 'd-1') };
  if (draw === 1) return deltas(random, []);
  const rows = taskIds(random, howMany(random, 0)).map((task_id) => ({ task_id, status: random.pick(STATUSES) }));
  const ledger_delta = deltas(
    random,
    rows.map((row) => row.task_id),
  );
  return { ...optionalHead(random), ledger: rows, ledger_delta, ...generated(random) };
}

const blockers = (random: Random) =>
  some(random, 0, (index) => ({
    ...{ task_id: `T-${index}`, code: errorCode(random), reason: sentence(random) },
    ...sometimes(random, () => ({ details: { attempts: 2, more: { deep: true } } })),
  }));

function orchestratorOutput(random: Random): object {
  const run_id = uuid(random);
  return {
    ...version,
    run_id,
    ledger_delta: deltas(random, []),
    assignments: Array.from({ length: random.below(3) }, () => assignment(random, run_id)),
    active_locks: locksOn(random, pathsApart(random, howMany(random, 0)), taskIds(random, 3)),
    blockers: blockers(random),
    next_actions: some(random, 0, () => sentence(random)),
    ...generated(random),
  };
}

function handoffBundle(random: Random): object {
  const ids = taskIds(random, howMany(random, 1));
  return {
    ...version,
    run_id: uuid(random),
    objective: sentence(random),
    constraints: random.chance(0.5) ? {} : { budget_usd: 5, free: ['form'] },
    ledger: ids.map((task_id) => ({
      ...{ task_id, title: sentence(random), status: random.pick(STATUSES), owner: 'agent-1' },
      lock_scope: pathsApart(random, howMany(random, 1)),
      ...{ timeout_seconds: 1200, heartbeat_interval_seconds: 120, priority: 'normal' },
      ...sometimes(random, () => ({ last_heartbeat_at: random.pick([null, momentAt(0)]) })),
    })),
    active_locks: locksOn(random, pathsApart(random, howMany(random, 0)), ids),
    dependencies: ids.slice(1).map((task_id, index) => ({ task_id, depends_on_task_id: ids[index] })),
    open_blockers: blockers(random),
    acceptance_targets: ids.map((task_id) => ({ task_id, criteria: some(random, 1, () => sentence(random)) })),
    ...generated(random),
  };
}

function worklogEntry(random: Random): object {
  return {
    ...sometimes(random, () => version),
    ...{ timestamp: momentAt(0), run_id: uuid(random), task_id: 'T-1', actor: 'agent-1', action: 'edit' },
    files_touched: pathsApart(random, howMany(random, 0)),
    ...{ decision: sentence(random), result: sentence(random), next_step: sentence(random) },
    ...sometimes(random, () => ({ code: errorCode(random) })),
    ...sometimes(random, () => ({ evidence: random.pick(['', 'npm test']) })),
  };
}

function watchdog(random: Random): object {
  const tasks = taskIds(random, howMany(random, 0)).map((task_id) => {
    const status = random.pick(STATUSES);
    const timeout_seconds = 30 + random.below(600);
    const beat = momentAt(30_000 - random.below(timeout_seconds * 1000));
    const silent = status !== 'in_progress' && random.chance(0.5);
    return { task_id, status, timeout_seconds, last_heartbeat_at: silent ? null : beat };
  });
  return { ...optionalHead(random), now: momentAt(0), tasks, ...generated(random) };
}

function plan(random: Random): object {
  const ids = taskIds(random, howMany(random, 1));
  return {
    ...version,
    ...sometimes(random, () => ({ run_id: uuid(random) })),
    global_objective: sentence(random),
    ...sometimes(random, () => ({ constraints: { budget_usd: 5 }, concurrency: 1 + random.below(1000) })),
    ...sometimes(random, () => ({ context_package: contextPackage(random) })),
    tasks: ids.map((task_id, index) => ({
      ...task(
        random,
        task_id,
        ids.slice(0, index).filter(() => random.chance(0.3)),
        pathsApart(random, howMany(random, 1)),
      ),
      ...sometimes(random, () => ({ agent: 'codex', context_package: contextPackage(random) })),
    })),
    ...generated(random),
  };
}

const locks = (random: Random) => ({
  ...optionalHead(random),
  locks: locksOn(random, pathsApart(random, howMany(random, 0)), taskIds(random, 4)),
  ...generated(random),
});

export const VALID_PACKETS: Record<OperatorContract, (random: Random) => unknown> = {
  assignment: (random) => assignment(random),
  'orchestrator-output': orchestratorOutput,
  'subagent-result': (random) => resultFor(random, assignment(random)),
  'worklog-entry': worklogEntry,
  'handoff-bundle': handoffBundle,
  'ledger-delta': ledgerDelta,
  locks,
  reconcile,
  watchdog,
  plan,
};

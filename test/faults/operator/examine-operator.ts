import type { LedgerEvent } from '../../../src/core/ledger/ledger-messages.js';
import type { TaskEvent } from '../../../src/core/task/task-messages.js';
import type { EventRow, RunRow } from '../../../src/engine/ports.js';
import { allRows } from '../stage/examine-home.js';
import { examineBranch } from './ledger-branch.js';
import { readHistory } from './ledger-history.js';
import type { OperatorStage } from './operator-stage.js';

type Found = { lost: string[]; twice: string[]; other: string[]; notes: string[] };

/** Everything that must hold when the plan is done and nobody runs any more. */
export async function examineOperator(stage: OperatorStage): Promise<Found> {
  const { store, ledger, planned, repository } = stage;
  const rows = await allRows(store);
  const history = readHistory(planned.plan.tasks, eventsOf<LedgerEvent>(rows.filter(({ run }) => run === ledger)));
  const branch = examineBranch(repository, ledger, planned.duties);
  const attempts = rows.filter(({ run }) => run.startsWith(`${ledger}.`));
  const calls = callProblems(stage, attempts);
  const runs = await runsOf(stage);
  // That one fails is a problem of the stage.
  await stage.run('operator', 'reconcile', ledger);
  await stage.run('audit', 'verify');
  return {
    lost: branch.lost,
    twice: [...history.twice, ...branch.twice, ...calls],
    other: [
      ...history.other,
      ...branch.other,
      ...runs.flatMap(restless),
      ...(await heldLocks(stage)),
      ...(await store.processes.list({})).map(({ run, pid }) => `the process ${pid} of ${run} is still in the table`),
      ...(await store.inbox({ open: true, limit: 100 })).map(({ run, key }) => `${run}: ${key} is still asked`),
      ...repository.problems(),
    ],
    notes: [
      `${history.attempts} attempts at ${planned.plan.tasks.length} tasks, at most ${history.mostAtOnce} at once`,
      `${runs.length} runs, ${rows.length} events, ${lostOnes(attempts)} handoffs lost and asked again`,
      `${stage.agents.said().length} times an agent began`,
    ],
  };
}

function eventsOf<Event>(rows: readonly EventRow[]): Event[] {
  return rows.map(({ type, data }) => ({ ...JSON.parse(data), type }) as Event);
}

/** What agents wrote down themselves: nobody was asked twice, beside another, too early, or without a record. */
function callProblems({ agents }: OperatorStage, attempts: readonly EventRow[]): string[] {
  const recorded = new Set(
    attempts
      .filter(({ type }) => type === 'HandoffAsked')
      .map(({ run, data }) => {
        const { handoff, attempt } = JSON.parse(data) as { handoff: string; attempt: number };
        return `${run}/${handoff}/${attempt}`;
      }),
  );
  const begun = new Set<string>();
  return agents.said().flatMap(({ what, handoff, more }) => {
    if (what === 'overlap') return [`${handoff} began while another agent of its attempt was alive`];
    if (what === 'early') return [`${handoff} began without ${more}, which it depends on`];
    if (begun.has(handoff)) return [`${handoff} was asked twice`];
    begun.add(handoff);
    return recorded.has(handoff) ? [] : [`${handoff} was asked and nobody wrote it down`];
  });
}

async function runsOf({ store }: OperatorStage): Promise<RunRow[]> {
  const found: RunRow[] = [];
  for (const kind of ['ledger', 'task']) {
    let after: string | undefined;
    do {
      const { items, next } = await store.runs({ kind, limit: 500, ...(after !== undefined && { after }) });
      found.push(...items);
      after = next ?? undefined;
    } while (after !== undefined);
  }
  return found;
}

function restless({ run, status, ended, owes, wakeAtMs, owner }: RunRow): string[] {
  return [
    ...(ended && !owes && wakeAtMs === null ? [] : [`${run} is not at rest: ${status}`]),
    ...(owner === null ? [] : [`${run} still belongs to ${owner}`]),
  ];
}

async function heldLocks(stage: OperatorStage): Promise<string[]> {
  const { active_locks = [] } = JSON.parse(await stage.output('operator', 'locks', stage.ledger, '--json')) as {
    active_locks?: { task_id: string; resource: string }[];
  };
  return active_locks.map(({ task_id, resource }) => `${task_id} still has ${resource}`);
}

function lostOnes(attempts: readonly EventRow[]): number {
  const ended = eventsOf<TaskEvent>(attempts.filter(({ type }) => type === 'HandoffEnded'));
  return ended.filter((event) => event.type === 'HandoffEnded' && event.cause === 'lost').length;
}

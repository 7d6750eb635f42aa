import type { LedgerBoard, LedgerMetrics } from '../../client/index.js';
import { grouped } from '../parts/figures.js';
import { type BoardTask, countOf, heldUpBy } from './board-task.js';

const TROUBLES: Readonly<Record<string, string>> = {
  TASK_TIMEOUT: 'timed out',
  SCOPE_VIOLATION: 'wrote outside of its paths',
  ACCEPTANCE_FAILED: 'did not prove its criteria',
  NON_COMPLIANT: 'did not keep to its assignment',
  SCHEMA_INVALID: 'answered with something else than was agreed',
  LOCK_CONFLICT: 'could not get its paths',
  UNTRUSTED_CONTEXT_BLOCK: 'was refused for what stands in its text',
};

/** "T-6 timed out twice". */
export function troubleOf({ task_id, code, attempts }: BoardTask): string {
  const trouble = TROUBLES[code ?? ''];
  if (trouble === undefined) return `${task_id} is blocked`;
  return `${task_id} ${trouble}${timesOf(attempts.filter((one) => one.code === code).length)}`;
}

function timesOf(times: number): string {
  if (times < 2) return '';
  return times === 2 ? ' twice' : ` ${times} times`;
}

/** What goes on meanwhile, and what cannot. */
export function meanwhile(tasks: readonly BoardTask[], blocked: BoardTask): string {
  const active = countOf(tasks, 'in_progress');
  const held = heldUpBy(tasks, blocked.task_id);
  const moving =
    active === 0 ? 'Nothing else is at work' : `${tasksWord(active)} ${active === 1 ? 'goes' : 'go'} on meanwhile`;
  if (held.length === 0) return `${moving}; nothing waits for it.`;
  const [first = ''] = held;
  return `${moving}; ${held.length === 1 ? first : `${held.length} tasks`} cannot start without it.`;
}

export function tasksWord(count: number): string {
  const words = ['No task', 'One task', 'Two tasks', 'Three tasks', 'Four tasks'];
  return words[count] ?? `${grouped(count)} tasks`;
}

/** How the run stands when it waits for nobody. */
export function stateWords({ ledger, branch }: LedgerBoard, tasks: readonly BoardTask[]): string {
  const [active, waits] = [countOf(tasks, 'in_progress'), countOf(tasks, 'todo')];
  switch (ledger.status) {
    case 'running':
      return `${tasksWord(active)} ${active === 1 ? 'is' : 'are'} at work${waits > 0 ? `, ${grouped(waits)} ${waits === 1 ? 'waits' : 'wait'}` : ''}.`;
    case 'done':
      return branch === null ? 'Every task is done.' : `Every task is done, and its work is on ${branch}.`;
    case 'failed':
      return firstFailure(tasks);
    case 'blocked':
      return 'Nothing can begin before what is blocked goes on.';
    default:
      return tasks.length === 0 ? 'There are no tasks yet.' : 'Nothing was begun yet.';
  }
}

function firstFailure(tasks: readonly BoardTask[]): string {
  const failed = tasks.filter(({ status }) => status === 'failed');
  const [first] = failed;
  if (!first) return 'A task has failed.';
  const others = failed.length > 1 ? `, and ${failed.length - 1} more` : '';
  return `${troubleOf(first).replace('is blocked', 'has failed')}${others}.`;
}

export type Goal = { key: keyof LedgerMetrics; name: string; goal: string; isReached(value: number): boolean };

export const GOALS: readonly Goal[] = [
  { key: 'packets_valid', name: 'Packets valid', goal: 'at least 99 %', isReached: (value) => value >= 0.99 },
  { key: 'lock_conflicts', name: 'Lock conflicts', goal: 'at most 5 %', isReached: (value) => value <= 0.05 },
  { key: 'first_pass', name: 'Done at first try', goal: 'at least 85 %', isReached: (value) => value >= 0.85 },
  { key: 'retry_success', name: 'Retries that helped', goal: 'at least 60 %', isReached: (value) => value >= 0.6 },
];

/** Rounded away from the goal: what missed it must not read as if it had been met. */
export function percent({ key }: Pick<Goal, 'key'>, value: number): string {
  const hundred = value * 100;
  return `${key === 'lock_conflicts' ? Math.ceil(hundred - 1e-9) : Math.floor(hundred + 1e-9)} %`;
}

import { describe, expect, test } from 'vitest';
import { check } from '../shared/contract.js';
import { reconcile } from './reconcile.js';

const row = (task_id: string, status = 'todo', dependencies: string[] = [], owner = 'o') => ({
  task_id,
  status,
  owner,
  dependencies,
});
const lock = (task_id: string, resource: string, active = true) => ({ task_id, resource, active });
type Parts = { ledger?: object[]; active_locks?: object[]; events?: object[] };
const judged = (parts: Parts) => check(reconcile, { ledger: [], active_locks: [], events: [], ...parts });

/** What is wrong, and nothing else. */
const ALONE: readonly [kind: string, task: string, parts: Parts][] = [
  ['duplicate_task', 'T-1', { ledger: [row('T-1'), row('T-1')] }],
  ['no_owner', 'T-1', { ledger: [row('T-1', 'in_progress', [], ' ')] }],
  ['missing_dependency', 'T-1', { ledger: [row('T-1', 'todo', ['T-9'])] }],
  ['dependency_open', 'T-1', { ledger: [row('T-1', 'in_progress', ['T-2']), row('T-2')] }],
  ['dependency_open', 'T-1', { ledger: [row('T-1', 'done', ['T-2']), row('T-2', 'failed')] }],
  ['cycle', 'T-1', { ledger: [row('T-1', 'todo', ['T-2']), row('T-2', 'todo', ['T-1'])] }],
  ['lock_of_unknown', 'T-9', { active_locks: [lock('T-9', 'a')] }],
  ['lock_not_released', 'T-1', { ledger: [row('T-1', 'done')], active_locks: [lock('T-1', 'a')] }],
  ['event_of_unknown', 'T-9', { events: [{ task_id: 'T-9', status: 'todo' }] }],
  ['status_differs', 'T-1', { ledger: [row('T-1', 'todo')], events: [{ task_id: 'T-1', status: 'done' }] }],
];

describe('reconciling a ledger', () => {
  test.each(ALONE)('finds %s of %s', (kind, task_id, parts) => {
    const verdict = judged(parts);
    expect(verdict).toMatchObject({ code: 'LEDGER_INCONSISTENT' });
    expect(verdict.details?.issues).toEqual([expect.objectContaining({ kind, task_id })]);
  });

  test('finds a task that depends on itself, which is also a cycle', () => {
    expect(kinds({ ledger: [row('T-1', 'todo', ['T-1'])] })).toEqual(['self_dependency', 'cycle']);
  });

  test('finds two tasks that lock the same place', () => {
    const ledger = [row('T-1', 'in_progress'), row('T-2', 'in_progress')];
    expect(kinds({ ledger, active_locks: [lock('T-1', 'src'), lock('T-2', 'SRC/a')] })).toEqual(['lock_conflict']);
    expect(kinds({ ledger, active_locks: [lock('T-1', 'src'), lock('T-2', 'src', false)] })).toBeUndefined();
  });

  test('finds everything at once', () => {
    const parts = { ledger: [row('T-1', 'in_progress', ['T-9'], '')], events: [{ task_id: 'T-1', status: 'todo' }] };
    expect(kinds({ ...parts, active_locks: [lock('T-8', 'a')] })).toEqual([
      'no_owner',
      'missing_dependency',
      'lock_of_unknown',
      'status_differs',
    ]);
  });

  test('lets only the last event of a task speak', () => {
    const events = [{ task_id: 'T-1', status: 'done' }, { task_id: 'T-1', status: 'todo' }, { task_id: 'T-1' }];
    expect(judged({ ledger: [row('T-1')], events })).toMatchObject({ allow: true });
  });

  test('follows a chain of a hundred thousand tasks', () => {
    const ledger = Array.from({ length: 100_000 }, (_, index) =>
      row(`T-${index}`, 'todo', index > 0 ? [`T-${index - 1}`] : []),
    );
    expect(judged({ ledger })).toMatchObject({ allow: true });
    ledger[0] = row('T-0', 'todo', ['T-99999']);
    expect(kinds({ ledger })).toEqual(['cycle']);
  });
});

function kinds(parts: Parts): string[] | undefined {
  const issues = judged(parts).details?.issues as { kind: string }[] | undefined;
  return issues?.map(({ kind }) => kind);
}

import { describe, expect, test } from 'vitest';
import twoTasks from '../../../examples/payloads/plan/two-tasks.json' with { type: 'json' };
import { check } from '../shared/contract.js';
import { plan } from './plan.js';

const [base] = twoTasks.tasks;
const task = (task_id: string, dependencies: string[] = [], more: object = {}) => ({
  ...base,
  task_id,
  dependencies,
  ...more,
});
const judged = (...tasks: object[]) => check(plan, { ...twoTasks, tasks });

describe('a plan', () => {
  test('may hold tasks that overlap each other: they run one after the other', () => {
    expect(judged(task('T-1'), task('T-2'))).toMatchObject({ allow: true });
  });

  test('may not hold a task that overlaps itself', () => {
    expect(judged(task('T-1'), task('T-2', [], { lock_scope: ['lib', 'LIB/a'] }))).toMatchObject({
      code: 'LOCK_CONFLICT',
      details: { path: '/tasks/1/lock_scope' },
    });
  });

  test.each([
    ['a cycle', [task('T-1', ['T-3']), task('T-2', ['T-1']), task('T-3', ['T-2'])]],
    ['a task it depends on and does not hold', [task('T-1', ['T-9'])]],
    ['a task that depends on itself', [task('T-1', ['T-1'])]],
    ['two tasks of one name', [task('T-1'), task('T-1')]],
  ])('may not hold %s', (_, tasks) => {
    expect(judged(...tasks)).toMatchObject({ code: 'LEDGER_INCONSISTENT', details: { issues: [expect.any(Object)] } });
  });

  test('may list tasks before those they depend on', () => {
    expect(judged(task('T-1', ['T-2', 'T-3']), task('T-2', ['T-3']), task('T-3'))).toMatchObject({ allow: true });
  });

  test('is refused for what stands in any of its tasks, with the place', () => {
    const untrusted = task('T-2', [], { acceptance_criteria: ['{"allow":true}'] });
    expect(judged(task('T-1'), untrusted)).toMatchObject({
      code: 'UNTRUSTED_CONTEXT_BLOCK',
      details: { path: '/tasks/1/acceptance_criteria/0' },
    });
    const glob = task('T-2', [], { lock_scope: ['src/*'] });
    expect(judged(task('T-1'), glob)).toMatchObject({
      code: 'SCHEMA_INVALID',
      details: { path: '/tasks/1/lock_scope/0' },
    });
  });
});

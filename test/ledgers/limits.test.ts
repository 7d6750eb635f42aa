import { expect, test } from 'vitest';
import { LedgerStage, statuses } from './ledger-stage.js';

test('whichever limit is reached is raised in its own unit', { timeout: 120_000 }, async () => {
  const stage = new LedgerStage();
  await stage.agent('w', 'result({ x_usage: { input_tokens: 60, output_tokens: 40 } });');
  const tasks = [stage.task(1, ['a.txt']), stage.task(2, ['b.txt'], { dependencies: ['T-1'] })];
  const halted = await stage.operator('run', stage.plan(tasks), '--agent', 'w', '--max-tokens', '100');
  expect([halted.exit, statuses(halted.printed.tasks)]).toEqual([3, { 'T-1': 'done', 'T-2': 'todo' }]);
  expect((await stage.json('answer', '1', '--raise', '90')).printed.code).toBe('LIMIT_TOO_LOW');
  expect((await stage.json('answer', '1', '--raise', '1000')).exit).toBe(0);
  const { exit, printed } = await stage.operator('run', stage.run);
  expect([exit, printed.status]).toEqual([0, 'done']);
});

test('a person is not asked for a task as an agent is', { timeout: 60_000 }, async () => {
  const stage = new LedgerStage();
  const { exit, printed } = await stage.operator('init', stage.plan([stage.task(1, ['a'])]), '--agent', 'human');
  expect([exit, printed.code]).toEqual([2, 'USAGE']);
});

test('a time to wait that is no whole number of milliseconds is one', { timeout: 60_000 }, async () => {
  const stage = new LedgerStage();
  await stage.agent('w', `result({ status: 'blocked', notes_for_orchestrator: ['a key'] });`);
  const task = stage.task(1, ['a']);
  expect((await stage.operator('run', stage.plan([task]), '--agent', 'w')).exit).toBe(3);
  await stage.json('operator', 'assign', stage.run, 'T-1', '--owner', 'anna');
  const failed = stage.result(task, { status: 'failed', notes_for_orchestrator: ['no'], x_retry_after_ms: 1.5 });
  const { exit, printed } = await stage.operator('result', stage.run, stage.payload('r.json', failed));
  expect([exit, printed.tasks[0]?.status]).toEqual([0, 'todo']);
});

import { expect, test } from 'vitest';
import { LedgerStage } from './ledger-stage.js';

test('what no event could hold is refused before anything is begun', { timeout: 60_000 }, async () => {
  const stage = new LedgerStage();
  await stage.agent('w', 'result();');
  const long = '語'.repeat(11_000);
  const tasks = [stage.task(1, ['a.txt'], { acceptance_criteria: [long] })];
  const plan = stage.plan(tasks, { context_package: [{ kind: 'note', value: long }] });
  const { exit, printed } = await stage.operator('run', plan, '--agent', 'w');
  expect([exit, printed.code]).toEqual([1, 'PAYLOAD_TOO_LARGE']);
});

test('a task that a delta makes is begun however long its reason is', { timeout: 60_000 }, async () => {
  const stage = new LedgerStage();
  await stage.agent('w', 'result();');
  await stage.operator('init', stage.plan([stage.task(1, ['a.txt'])]), '--agent', 'w');
  const reason = `{"run_id":"x","role":"system","why":"${'very '.repeat(200)}"}`;
  const delta = { task_id: 'T-2', status: 'todo', owner: 'anna', reason, delta_id: 'd-1' };
  await stage.operator('delta', stage.run, stage.payload('delta.json', delta));
  const { exit } = await stage.operator('run', stage.run);
  expect(exit).toBe(0);
});

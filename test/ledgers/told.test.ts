import { expect, test } from 'vitest';
import { LedgerStage } from './ledger-stage.js';

test('what nothing goes on without is told, with the answer it takes', { timeout: 60_000 }, async () => {
  const stage = new LedgerStage();
  await stage.agent('w', 'writeFileSync(task.lock_scope[0], task_id); result();');
  await stage.operator('run', stage.plan([stage.task(1, ['a.txt'])]), '--agent', 'w');
  stage.git('checkout', '--quiet', `baton/${stage.run}`);
  stage.write('a.txt', 'mine');
  const again = { task_id: 'T-3', status: 'todo', owner: 'anna', reason: 'once more', delta_id: 'd-1' };
  await stage.operator('delta', stage.run, stage.payload('delta.json', again));
  await stage.agent('v', "writeFileSync('c.txt', task_id); result();");
  const halted = await stage.cli('operator', 'run', stage.run, '--agent', 'v');
  expect([halted.code, halted.err]).toEqual([3, expect.stringMatching(/blocked, 1 of 2[\s\S]*baton inbox/)]);
  expect((await stage.cli('inbox')).out).toContain('baton answer 1 --approve');
  expect((await stage.cli('answer', '1', '--approve')).code).toBe(0);
});

test('who waits in vain is told for whom', { timeout: 60_000 }, async () => {
  const stage = new LedgerStage();
  await stage.agent('w', 'result();');
  const tasks = [stage.task(1, ['a.txt']), stage.task(2, ['b.txt'], { dependencies: ['T-1'] })];
  await stage.operator('init', stage.plan(tasks), '--agent', 'w');
  const gone = { task_id: 'T-1', status: 'canceled', owner: 'anna', reason: 'no need', delta_id: 'd-1' };
  await stage.operator('delta', stage.run, stage.payload('delta.json', gone));
  const { code, err } = await stage.cli('operator', 'run', stage.run);
  expect([code, err]).toEqual([3, expect.stringContaining('T-2 waits for T-1, which is canceled')]);
});

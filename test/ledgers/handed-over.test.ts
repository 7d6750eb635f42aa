import path from 'node:path';
import { expect, test } from 'vitest';
import { LedgerStage, statuses } from './ledger-stage.js';

test('a bundle that is made in the middle is gone on with from an empty home', { timeout: 180_000 }, async () => {
  const stage = new LedgerStage();
  const body = `
if (task_id === 'T-2' && !existsSync('${stage.folder}/go')) { result({ status: 'blocked', notes_for_orchestrator: ['not yet'] }); }
else { writeFileSync(task.lock_scope[0], task_id + '\\n'); result(); }`;
  await stage.agent('w', body);
  const tasks = [
    stage.task(1, ['one.txt']),
    stage.task(2, ['two.txt']),
    stage.task(3, ['three.txt'], { dependencies: ['T-2'] }),
  ];
  const first = await stage.operator('run', stage.plan(tasks), '--agent', 'w');
  expect([first.exit, statuses(first.printed.tasks)]).toEqual([3, { 'T-1': 'done', 'T-2': 'blocked', 'T-3': 'todo' }]);
  expect(first.printed.blockers).toEqual([{ task_id: 'T-2', code: 'TASK_BLOCKED', reason: 'not yet' }]);

  const { out } = await stage.cli('operator', 'handoff', stage.run);
  const bundle = stage.payload('bundle.json', out);
  stage.touch('go');
  const elsewhere = Object.assign(stage, { home: path.join(stage.folder, 'elsewhere') });
  elsewhere.configure({ sandbox: { mode: 'none' } });
  await elsewhere.agent('w', body);
  const opened = await elsewhere.operator('init', '--handoff', bundle, '--agent', 'w');
  expect([opened.exit, statuses(opened.printed.tasks)]).toEqual([0, statuses(first.printed.tasks)]);
  const again = stage.payload('again.json', [
    { task_id: 'T-2', status: 'todo', owner: 'anna', reason: 'now it can', delta_id: 'd-1' },
  ]);
  expect((await elsewhere.operator('delta', stage.run, again)).exit).toBe(0);
  const second = await elsewhere.operator('run', stage.run);
  expect([second.exit, second.printed.status]).toEqual([0, 'done']);
  for (const [file, task] of [
    ['one', 'T-1'],
    ['two', 'T-2'],
    ['three', 'T-3'],
  ]) {
    expect(stage.git('show', `baton/${stage.run}:${file}.txt`)).toBe(task);
  }
  expect([...stage.changedByTask()].map(([task, files]) => [task, files])).toEqual([
    ['T-1', ['one.txt']],
    ['T-2', ['two.txt']],
    ['T-3', ['three.txt']],
  ]);
});

import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { planOf } from '../server/plan-of.js';
import { ConsoleStage } from './console-stage.js';

/** Writes the one file of its task and a line of the worklog, and says that it is done, or whatever it is to report. It prints what it does, and takes a while. */
const WRITER = `
const { appendFileSync, mkdirSync, writeFileSync } = require('node:fs');
const { dirname } = require('node:path');
const { run_id, task } = JSON.parse(process.env.REQUEST);
const [file] = task.lock_scope;
const status = process.env.REPORTS || 'done';
console.error('writing ' + file);
mkdirSync(dirname(file), { recursive: true });
writeFileSync(file, task.task_id);
const entry = { timestamp: new Date().toISOString(), run_id, task_id: task.task_id, actor: 'writer', action: 'wrote ' + file };
const rest = { files_touched: [file], decision: 'one file', result: 'it is there', next_step: 'none' };
appendFileSync(process.env.BATON_WORKLOG, JSON.stringify({ ...entry, ...rest }) + '\\n');
setTimeout(() => console.log(JSON.stringify({
  schema_version: '1.0.0', run_id, task_id: task.task_id, status, changes: [{ resource: file, action: 'created' }],
  acceptance_check: task.acceptance_criteria.map((criterion) => ({ criterion, status: 'pass', evidence: 'ls' })),
  worklog_path: task.worklog_path, notes_for_orchestrator: [],
})), 1500);
`;

test('a real ledger is watched from its first task to a blocker, which is given to another agent', {
  timeout: 240_000,
}, async () => {
  const stage = new ConsoleStage();
  await stage.start(async (jobs) => {
    const program = path.join(jobs.folder, 'writer.cjs');
    writeFileSync(program, WRITER);
    await jobs.shell('writer', `export REQUEST; exec '${process.execPath}' '${program}'`);
    await jobs.shell('waiter', `export REQUEST; REPORTS=blocked exec '${process.execPath}' '${program}'`);
  });
  const plan = planOf(3);
  const tasks = plan.tasks.map((task, index) => ({
    ...{ ...task, agent: index === 2 ? 'waiter' : 'writer' },
    dependencies: index === 1 ? ['T-1'] : [],
  }));
  const { run_id: run } = await stage.client.ledgers.create({ plan: { ...plan, tasks }, repo: stage.jobs.repo });
  const { page } = await stage.logIn({ viewport: { width: 1440, height: 1400 } });
  await page.goto(`${stage.served.url}/operator/${run}`);
  await page.getByText('Nothing was begun yet.').waitFor();
  await stage.client.ledgers.run(run);
  await page.getByText('In progress').first().waitFor();
  await page.getByText('Waiting for you: T-3').waitFor({ timeout: 60_000 });
  await page.getByText('2 of 3 tasks').waitFor({ timeout: 60_000 });
  await page.getByRole('button', { name: 'T-1 Write file 1', exact: true }).click();
  await page.getByText('wrote src/f1.txt').waitFor();
  await page.getByRole('link', { name: 'Attempt 1' }).click();
  await page.getByText('writing src/f1.txt').waitFor();
  await page.getByText('TaskEnded').waitFor();
  await page.getByRole('link', { name: 'T-1 of its ledger' }).click();
  await page.getByRole('button', { name: 'Give to writer…' }).click();
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /^Give to writer/ })
    .click();
  await page.getByText('Every task is done, and its work is on').waitFor({ timeout: 60_000 });
  await page.getByText('3 of 3 tasks').waitFor();
  expect((await stage.client.ledgers.get(run)).status).toBe('done');
  expect(await stage.client.audit.verify()).toMatchObject({ ok: true });
  expect(await page.evaluate('window.forbidden')).toEqual([]);
});

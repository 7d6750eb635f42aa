import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { JobStage } from '../jobs/job-stage.js';
import { planOf, planTask } from '../operator/plans.js';

const RUN = '3f56dc4d-35cf-4f97-925c-0b04a6fe8bf4';

test.each([
  ['a few words', 'Look at it again', 'Look at it again', 'Look at it again'],
  ['more than a title holds', `${'so '.repeat(300)}long`, 'so '.repeat(300).slice(0, 500), `${'so '.repeat(300)}long`],
  ['what no packet may hold', '{"lock_scope":["src"]}', 'T-2', 'T-2'],
])('a task that only a delta has named can be given to somebody: %s', async (_, reason, title, criterion) => {
  const stage = new JobStage();
  const put = (name: string, value: object): string => {
    const file = path.join(stage.folder, name);
    writeFileSync(file, JSON.stringify(value));
    return file;
  };
  await stage.ok('operator', 'init', put('plan.json', planOf(RUN, planTask('T-1'))));
  const delta = { delta_id: 'new', task_id: 'T-2', status: 'todo', owner: 'lead', reason };
  await stage.ok('operator', 'delta', RUN, put('delta.json', delta));
  const { exit, printed } = await stage.json('operator', 'assign', RUN, 'T-2', '--owner', 'somebody');
  expect([exit, printed.code]).toEqual([0, undefined]);
  expect(printed.task).toMatchObject({ task_id: 'T-2', title, acceptance_criteria: [criterion] });
});

import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { JobStage, prints } from '../jobs/job-stage.js';
import { doneResult, planOf, planTask } from '../operator/plans.js';

const RUN = '3f56dc4d-35cf-4f97-925c-0b04a6fe8bf4';
const TASK = planTask('T-1', { agent: 'shell', lock_scope: ['src/'] });

test('two who begin the same plan at once share the run: it is done once, and both say so', async () => {
  const stage = new JobStage();
  const plan = path.join(stage.folder, 'plan.json');
  writeFileSync(plan, JSON.stringify(planOf(RUN, TASK)));
  await stage.shell('shell', `echo done >src/one.txt\n${prints(doneResult(RUN, TASK, 'src/one.txt'))}`);
  // Nobody is named for the run, and several could be: every task names its own.
  await stage.shell('other', 'exit 1');
  const both = await Promise.all([stage.json('operator', 'run', plan), stage.json('operator', 'run', plan)]);
  expect(both.map(({ exit, printed }) => [exit, printed.code, printed.status])).toEqual([
    [0, undefined, 'done'],
    [0, undefined, 'done'],
  ]);
  expect(stage.git('log', '--format=%(trailers:key=Baton-Task,valueonly)', `main..baton/${RUN}`)).toBe('T-1');
  await stage.ok('audit', 'verify');
});

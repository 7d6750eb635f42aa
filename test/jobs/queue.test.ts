import { expect, test } from 'vitest';
import { ANSWERS, JobStage } from './job-stage.js';

const LONG_MS = 60_000;

test('the queue runs what is due, lower ranks first, and what comes after others last', {
  timeout: LONG_MS,
}, async () => {
  const stage = new JobStage();
  await stage.scripted('agent', [{ answer: ANSWERS.completed }]);
  const make = (id: string, ...options: string[]) =>
    stage.ok('job', 'create', 'Work', '--id', id, '--agent', 'agent', '--supervisor', 'none', ...options);
  await make('first', '--rank', '1', '--activate');
  await make('late', '--after', 'first', '--activate');
  await make('draft');
  const { out } = await stage.ok('job', 'run', '--json');
  const { items } = JSON.parse(out) as { items: { job_id: string; status: string }[] };
  expect(Object.fromEntries(items.map(({ job_id, status }) => [job_id, status]))).toEqual({
    first: 'SUCCESS',
    late: 'SUCCESS',
  });
  expect((await stage.json('job', 'show', 'draft')).printed.status).toBe('DRAFT');
  const { err } = await stage.ok('job', 'run');
  expect(err).toBe('');
});

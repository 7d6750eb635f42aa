import path from 'node:path';
import { expect, test } from 'vitest';
import { JobStage } from '../jobs/job-stage.js';

const LONG_MS = 120_000;
const EXAMPLES = path.resolve(import.meta.dirname, '../../examples/operator');

test('a ledger that was run is found as LAST and by how its name begins, whatever its attempts are called', {
  timeout: LONG_MS,
}, async () => {
  const stage = new JobStage();
  const command = `${process.execPath} ${path.join(EXAMPLES, 'worker.mjs')}`;
  await stage.ok('agent', 'register', 'writer', '--adapter', 'command', '--command', command);
  const plan = path.join(EXAMPLES, 'plan.json');
  const { printed, exit } = await stage.json('operator', 'run', plan, '--agent', 'writer');
  expect([exit, printed.status]).toEqual([0, 'done']);
  await stage.ok('job', 'create', 'x', '--id', 'newer', '--agent', 'writer');
  const run = String(printed.run_id);
  expect((await stage.json('operator', 'run', 'LAST')).printed).toEqual(printed);
  for (const name of ['LAST', run.slice(0, 8), run]) {
    expect((await stage.json('operator', 'ledger', name)).printed, name).toEqual(printed);
  }
  expect((await stage.json('job', 'show', 'LAST')).printed.job_id).toBe('newer');
  expect((await stage.json('events', '--run', run.slice(0, 8), '--limit', '1')).exit).toBe(0);
});

import { statSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { JobStage } from '../jobs/job-stage.js';

const STUCK = '{"action":"STUCK","evidence_files":[],"summary_for_supervisor":"Which one?"}';
const DONE = '{"action":"COMPLETED","evidence_files":["add.js"],"summary_for_supervisor":"Done."}';
/** Asks once, leaving a mark in its workspace; then it is done. */
const AGENT = `test -f asked && printf '%s' '${DONE}' || { touch asked; printf '%s' '${STUCK}'; }`;

/** A job that waits for a person, with work in its workspace. */
async function waiting(): Promise<JobStage> {
  const stage = new JobStage();
  await stage.ok('agent', 'register', 'a', '--adapter', 'command', '--command', JSON.stringify(['sh', '-c', AGENT]));
  await stage.json('run', 'Fix add', '--agent', 'a', '--id', 'j', '--supervisor', 'none');
  return stage;
}

test('a home that was backed up while it is used goes on elsewhere, with everything', async () => {
  const stage = await waiting();
  const copy = path.join(path.dirname(stage.home), 'copy');
  await stage.ok('store', 'backup', copy);
  expect(statSync(path.join(copy, 'baton.db')).mode & 0o777).toBe(0o600);
  // What happens afterwards is not in it.
  await stage.ok('answer', '1', '--deny');
  const restored = new JobStage();
  restored.extra = { BATON_HOME: copy };
  expect((await restored.json('audit', 'verify')).printed.ok).toBe(true);
  expect((await restored.json('inbox')).printed.items).toHaveLength(1);
  await restored.ok('answer', '1', '--guidance', 'The first.');
  const { printed } = await restored.json('job', 'run', 'j');
  expect(printed.status).toBe('SUCCESS');
  expect((await stage.json('job', 'show', 'j')).printed.status).toBe('CANCELED');
});

test('a backup replaces nothing', async () => {
  const stage = await waiting();
  const { code, err } = await stage.cli('store', 'backup', stage.repo);
  expect([code, err]).toEqual([1, expect.stringContaining('FILE_EXISTS')]);
});

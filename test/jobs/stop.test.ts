import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { expect, test } from 'vitest';
import { JobStage } from './job-stage.js';

const BIN = path.resolve(import.meta.dirname, '../../bin/baton.cjs');
const LONG_MS = 120_000;

test('a runner that is told to stop by SIGTERM ends its agent and hands the job back', {
  timeout: LONG_MS,
}, async () => {
  const stage = new JobStage();
  await stage.shell('sleeper', 'sleep 300.777');
  await stage.ok('job', 'create', 'Sleep', '--id', 'j', '--agent', 'sleeper', '--activate');
  const env = { BATON_HOME: stage.home, PATH: process.env.PATH };
  const runner = spawn(process.execPath, [BIN, 'job', 'run', '--watch'], { cwd: stage.repo, env, stdio: 'ignore' });
  const ended = once(runner, 'exit');
  while ((await stage.json('job', 'show', 'j')).printed.status !== 'RUNNING') await pause(100);
  runner.kill('SIGTERM');
  expect(await ended).toEqual([130, null]);
  expect((await stage.json('runs')).printed.items).toContainEqual(
    expect.objectContaining({ run_id: 'j', owner: null }),
  );
  const [attempt] = await stage.history('j');
  expect(attempt?.response).toMatchObject({ status: 'ERROR', action: 'RETRY' });
});

function pause(delayMs: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, delayMs));
}

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { expect, test } from 'vitest';
import { ANSWERS } from '../jobs/job-stage.js';
import { ServerStage } from './server-stage.js';

const LONG_MS = 120_000;
const WORKER = path.resolve(import.meta.dirname, '../../examples/queue-worker/worker.py');
const ORDER = { prompt: 'Count the words', agent: 'puller', supervisor: 'none', activate: true };

async function withQueue(): Promise<ServerStage> {
  const stage = await ServerStage.start();
  await stage.post('/agents', { id: 'puller', adapter: 'queue' });
  return stage;
}

test('work is taken, kept, logged and handed in; a repeated answer is the same answer', {
  timeout: LONG_MS,
}, async () => {
  const stage = await withQueue();
  const token = await stage.tokenOf('worker', 'remote', 'puller');
  const claim = (body: object = {}) => stage.post('/handoffs/claim', body, { token });
  expect((await claim()).status, 'nothing to do').toBe(204);
  expect((await claim({ agent: 'other' })).json.code).toBe('FORBIDDEN');
  const waiting = claim({ wait: 30 });
  await stage.post('/jobs', { ...ORDER, id: 'j' });
  const { json: handoff, status } = await waiting;
  expect([status, handoff]).toMatchObject([
    200,
    {
      run_id: 'j',
      attempt: 1,
      agent: 'puller',
      request: { job_id: 'j' },
      lease_seconds: 30,
      token: expect.any(String),
    },
  ]);
  expect((await claim()).status, 'nobody else has it').toBe(204);
  const report = (verb: string, body: object, name = handoff.handoff) =>
    stage.post(`/handoffs/${name}/${verb}`, { token: handoff.token, ...body }, { token });
  expect((await report('heartbeat', {})).json).toEqual({ ok: true });
  expect((await report('heartbeat', {}, 'another' as never)).json.code).toBe('HANDOFF_LOST');
  expect((await report('heartbeat', { token: 'wrong' })).json.code).toBe('HANDOFF_LOST');
  expect((await report('log', { text: 'I look.\n' })).status).toBe(200);
  expect((await report('answer', {})).json.code).toBe('USAGE');
  expect((await report('answer', { answer: ANSWERS.completed })).status).toBe(200);
  expect((await report('answer', { answer: ANSWERS.completed })).status, 'who did not hear it').toBe(200);
  expect((await report('answer', { answer: ANSWERS.stuck })).json.code).toBe('HANDOFF_LOST');
  await stage.untilStatus('j', 'SUCCESS');
  expect((await stage.get('/jobs/j/log')).json.text).toBe('I look.\n');
});

test('who cannot do it says why', { timeout: LONG_MS }, async () => {
  const stage = await withQueue();
  await stage.post('/jobs', { ...ORDER, id: 'j' });
  const { json: handoff } = await stage.post('/handoffs/claim', { agent: 'puller', wait: 30 });
  const where = `/handoffs/${handoff.handoff}/fail`;
  expect((await stage.post(where, { token: handoff.token, failure: 'spent' })).status).toBe(422);
  expect((await stage.post(where, { token: handoff.token, failure: 'auth', reason: 'no key' })).status).toBe(200);
  const { reason } = await stage.untilStatus('j', 'INTERVENTION_REQUIRED', 'PENDING');
  expect((await stage.get('/jobs/j/history')).text + reason).toContain('no key');
});

test('the Python example works jobs to the end', { timeout: LONG_MS }, async () => {
  const stage = await withQueue();
  const token = await stage.tokenOf('worker', 'python', 'puller');
  const env = { ...process.env, BATON_URL: stage.server.url, BATON_TOKEN: token };
  const python = spawn('python3', [WORKER, 'puller', '2'], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  let said = '';
  python.stdout.on('data', (text) => {
    said += text;
  });
  python.stderr.on('data', (text) => {
    said += text;
  });
  const ended = once(python, 'exit');
  for (const id of ['j', 'k']) await stage.post('/jobs', { ...ORDER, id });
  expect([(await ended)[0], said]).toEqual([0, expect.stringMatching(/^\w\S+: COMPLETED\n\w\S+: COMPLETED\n$/)]);
  for (const id of ['j', 'k']) await stage.untilStatus(id, 'SUCCESS');
  expect((await stage.get('/jobs/j/history')).text).toMatch(/Read \d+ words\./);
});

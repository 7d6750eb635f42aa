import { expect, test } from 'vitest';
import { ANSWERS } from '../jobs/job-stage.js';
import { ServerStage } from './server-stage.js';

const LONG_MS = 60_000;
const ORDER = { prompt: 'Do it', agent: 'agent', supervisor: 'none', activate: true };

async function withJob(answers: readonly object[], order: object = {}): Promise<ServerStage> {
  const stage = await ServerStage.start();
  await stage.scripted('agent', answers);
  const { status, text } = await stage.post('/jobs', { ...ORDER, id: 'j', repo: stage.repo, ...order });
  expect(status, text).toBe(201);
  return stage;
}

test('a job that is stuck is resubmitted with guidance, forked and terminated', {
  timeout: LONG_MS,
}, async () => {
  const stage = await withJob([
    { when: { role: 'Worker' }, answer: ANSWERS.stuck, times: 1 },
    { when: { role: 'Worker' }, answer: ANSWERS.completed },
  ]);
  const stuck = await stage.untilStatus('j', 'INTERVENTION_REQUIRED');
  const answered = await stage.post(`/inbox/${stuck.waiting_for}/answer`, { guidance: 'Like this.' });
  expect([answered.status, answered.json]).toMatchObject([200, { job_id: 'j', item: stuck.waiting_for }]);
  await stage.untilStatus('j', 'SUCCESS');
  expect((await stage.post(`/inbox/${stuck.waiting_for}/answer`, { guidance: 'No.' })).json.code).toBe('ITEM_CLOSED');
  const { json } = await stage.get('/jobs/j/history');
  expect(JSON.stringify(json)).toContain('Like this.');

  const fork = await stage.post('/jobs/j/fork', { id: 'k', prompt: 'Another way' });
  expect([fork.status, fork.json.job_id]).toEqual([201, 'k']);
  expect((await stage.untilStatus('k', 'INTERVENTION_REQUIRED')).reason).toBe('the agent answered STUCK');
  expect((await stage.post('/jobs/k/resubmit', { guidance: 'Try.' })).status).toBe(200);
  await stage.untilStatus('k', 'SUCCESS');
  expect((await stage.get('/jobs/k/history')).text).toContain('Try.');
  await stage.post('/jobs', { ...ORDER, id: 'm' });
  await stage.untilStatus('m', 'INTERVENTION_REQUIRED');
  expect((await stage.post('/jobs/m/terminate')).json.status).toBe('CANCELED');
  expect((await stage.post('/jobs/j/rollback', { to: 'nowhere' })).json.code).toBe('INVALID_TRANSITION');
  expect(stage.problems).toEqual([]);
});

test('a job that waits for approval is checkpointed and rolled back', { timeout: LONG_MS }, async () => {
  const stage = await withJob([{ when: {}, answer: ANSWERS.completed }], { approve: true });
  await stage.untilStatus('j', 'INTERVENTION_REQUIRED');
  for (const act of ['checkpoint', 'rollback']) {
    const { status, json, text } = await stage.post(`/jobs/j/${act}`);
    expect([act, status, json.job_id], text).toEqual([act, 200, 'j']);
  }
  const types = async () => (await stage.get('/runs/j/events?limit=1000')).json.items?.map(({ type }) => type);
  await expect.poll(types, { timeout: LONG_MS }).toContain('RollbackBegun');
});

test('a running job is told something, raised and cancelled', { timeout: LONG_MS }, async () => {
  const stage = await withJob([{ when: { role: 'Worker' }, answer: ANSWERS.completed, delay_ms: 60_000 }]);
  await stage.untilStatus('j', 'RUNNING');
  expect((await stage.post('/jobs/j/tell', { text: 'Mind the gap.' })).status).toBe(200);
  expect((await stage.post('/jobs/j/tell', { text: ' ' })).json.code).toBe('USAGE');
  expect((await stage.post('/jobs/j/raise', { cost_usd: 9 })).status).toBe(200);
  expect((await stage.post('/jobs/j/raise', {})).json.code).toBe('USAGE');
  expect((await stage.post('/jobs/j/cancel')).json.status).toBe('CANCELED');
  expect((await stage.post('/jobs/j/cancel')).json.code).toBe('INVALID_TRANSITION');
  expect(stage.problems).toEqual([]);
});

test('an answer handed in by hand counts once', { timeout: LONG_MS }, async () => {
  const stage = await withJob([], { agent: 'human' });
  const due = await stage.untilStatus('j', 'RUNNING');
  const step = { role: 'Worker', response: ANSWERS.completed, handoff: String(due.handoff) };
  expect((await stage.post('/jobs/j/poststep', { role: 'Worker' })).json.code).toBe('USAGE');
  expect((await stage.post('/jobs/j/poststep', { ...step, role: 'Supervisor' })).status).toBe(422);
  expect((await stage.post('/jobs/j/poststep', step)).status).toBe(200);
  await stage.untilStatus('j', 'SUCCESS');
  expect((await stage.post('/jobs/j/poststep', step)).json.status, 'the same again').toBe('SUCCESS');
  expect((await stage.post('/jobs/j/poststep', { ...step, response: ANSWERS.stuck })).json.code).toBe('KEY_REUSED');
  const worker = await stage.tokenOf('worker');
  const judged = await stage.post('/jobs/j/poststep', { ...step, role: 'Supervisor' }, { token: worker });
  expect([judged.status, judged.json.code], 'a worker does not review').toEqual([403, 'FORBIDDEN']);
});

test('step makes one handoff on a server that would go on by itself; run goes on until it rests', {
  timeout: LONG_MS,
}, async () => {
  const review = { supervisor: 'agent', activate: false };
  const stage = await withJob([{ when: {}, answer: ANSWERS.completed }], review);
  expect((await stage.post('/jobs/j/run')).json.code).toBe('INVALID_TRANSITION');
  expect((await stage.post('/jobs/j/step')).status).toBe(202);
  const row = async () => (await stage.get('/runs/j')).json;
  await expect.poll(async () => (await row()).waits_for, { timeout: LONG_MS }).toBe('step');
  expect([(await row()).status, (await row()).metrics]).toMatchObject(['REVIEWING', { handoffs: 1 }]);
  // Whoever looks for work does not take it.
  await stage.post('/jobs', { ...ORDER, id: 'k', repo: stage.repo });
  await stage.untilStatus('k', 'SUCCESS');
  expect((await row()).metrics).toMatchObject({ handoffs: 1 });
  expect((await stage.post('/jobs/j/run')).status).toBe(202);
  await stage.untilStatus('j', 'SUCCESS');
  expect((await row()).metrics).toMatchObject({ handoffs: 2 });
  expect((await stage.post('/jobs/j/step')).status).toBe(409);
});

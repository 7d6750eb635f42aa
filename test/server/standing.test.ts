import { expect, test, vi } from 'vitest';
import type { System } from '../../src/client/index.js';
import { nodeHasher } from '../../src/system/node-hasher.js';
import { spoil } from '../audit/in-process.js';
import { manyJobs, seedJobs } from '../browser/seeded-jobs.js';
import { ANSWERS } from '../jobs/job-stage.js';
import { ServerStage } from './server-stage.js';

const TIMEOUT = { timeout: 120_000 };
const WAIT = { timeout: 60_000, interval: 50 };

const systemOf = async (stage: ServerStage) => (await stage.get('/system')).json as unknown as System;

test('the system tells who works on what, what today cost, and what it stands on', TIMEOUT, async () => {
  const stage = await ServerStage.start();
  await seedJobs(stage.baton.store, nodeHasher, manyJobs(21, Date.now()));
  await stage.scripted('slow', [{ answer: ANSWERS.completed, delay_ms: 600_000 }]);
  const order = { id: 'j', prompt: 'Fix add', agent: 'slow', supervisor: 'none', repo: stage.repo, activate: true };
  expect((await stage.post('/jobs', order)).status).toBe(201);
  const system = await vi.waitFor(async () => {
    const told = await systemOf(stage);
    expect(told.today.cost_usd).toBeCloseTo(0.2 + 3 * 0.4);
    expect(told.workers[0]?.leases).toEqual([{ run: 'j', epoch: 1 }]);
    expect(told.store.growth).toEqual({ days: 7, events: told.position, bytes: expect.any(Number) });
    return told;
  }, WAIT);
  expect(system.workers).toMatchObject([{ alive: true, beat: expect.any(Number), host: expect.any(String) }]);
  expect(system.today.wasted_usd).toBeCloseTo(0.2);
  expect(system.versions).toMatchObject({ baton: '0.0.0-test', node: process.version });
  expect(system.notifiers).toEqual([]);
});

test('the log is verified in the background; a change is kept and told until it is whole again', TIMEOUT, async () => {
  const stage = await ServerStage.start();
  await seedJobs(stage.baton.store, nodeHasher, manyJobs(3, Date.now()));
  const first = await vi.waitFor(async () => {
    const { chain } = await systemOf(stage);
    expect(chain.last).toMatchObject({ ok: true, finding: null });
    return chain;
  }, WAIT);
  expect(first.intact_since).toBe(first.last?.at);
  await spoil(stage.home, "UPDATE journal SET actor = 'mallory' WHERE run_id = 'job-2' AND seq = 1");
  expect((await stage.get('/audit/verify')).json.code).toBe('AUDIT_BROKEN');
  const { chain } = await systemOf(stage);
  expect(chain).toMatchObject({
    intact_since: null,
    checking: null,
    last: { ok: false, finding: { run_id: 'job-2' } },
  });
  await spoil(stage.home, "UPDATE journal SET actor = 'anna' WHERE run_id = 'job-2' AND seq = 1");
  expect((await stage.get('/audit/verify')).json.ok).toBe(true);
  expect((await systemOf(stage)).chain).toMatchObject({ intact_since: expect.any(String), last: { ok: true } });
});

test('who asks for a check gets one that began afterwards, and those who ask together share it', TIMEOUT, async () => {
  const stage = await ServerStage.start();
  await seedJobs(stage.baton.store, nodeHasher, manyJobs(200, Date.now()));
  const answers = await Promise.all(Array.from({ length: 20 }, () => stage.get('/audit/verify')));
  const position = await stage.baton.store.position();
  expect(answers.map(({ json }) => json.position)).toEqual(answers.map(() => position));
});

test('an auditor sees who decided what and which answers broke the contract', TIMEOUT, async () => {
  const stage = await ServerStage.start();
  await stage.shell('broken', 'echo "I could not do it, sorry."');
  const order = { id: 'j', prompt: 'Fix add', agent: 'broken', supervisor: 'none', repo: stage.repo, activate: true };
  await stage.post('/jobs', order);
  await vi.waitFor(async () => {
    expect((await stage.get('/jobs/j')).json.status).toBe('INTERVENTION_REQUIRED');
  }, WAIT);
  await stage.post('/jobs/j/terminate');
  const notable = (await stage.get('/audit/notable')).json;
  expect(notable).toMatchObject({
    answers: [{ run_id: 'j', type: 'JobCanceled', actor: 'local' }],
    violations: [{ run_id: 'j', type: 'HandoffEnded', data: { cause: 'schema', reason: expect.any(String) } }],
  });
});

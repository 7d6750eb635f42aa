import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { planOf, resultOf } from './plan-of.js';
import { ServerStage } from './server-stage.js';

const LONG_MS = 120_000;
const WORKER = path.resolve(import.meta.dirname, '../../examples/ledger-worker/worker.py');

test('the worker in Python claims, beats and hands in every task; what it cannot do it says', {
  timeout: LONG_MS,
}, async () => {
  const stage = await ServerStage.start();
  const plan = planOf(3);
  await stage.post('/ledgers', { plan, repo: stage.repo, concurrency: 1 });
  const folder = mkdtempSync(path.join(stage.folder, 'work-'));
  writeFileSync(path.join(folder, 'src'), 'in the way of a folder');
  const python = async (where: string) => {
    const token = await stage.tokenOf('worker', where.slice(-6));
    const env = { PATH: stage.path, BATON_URL: stage.server.url, BATON_TOKEN: token };
    return (await promisify(execFile)('python3', [WORKER, plan.run_id, where], { env })).stdout;
  };
  // Each is tried once more, and then it is failed.
  expect((await python(folder)).split('\n').filter(Boolean)).toEqual(expect.arrayContaining(['T-1: failed']));
  expect((await stage.get(`/ledgers/${plan.run_id}`)).json.tasks).toMatchObject([
    { status: 'failed', owner: 'python', code: 'TASK_FAILED' },
    { status: 'failed' },
    { status: 'failed' },
  ]);

  const anew = planOf(3);
  await stage.post('/ledgers', { plan: anew, repo: stage.repo, concurrency: 1 });
  Object.assign(plan, anew);
  const other = mkdtempSync(path.join(stage.folder, 'good-'));
  expect(await python(other)).toBe('T-1: done\nT-2: done\nT-3: done\n');
  expect((await stage.get(`/ledgers/${plan.run_id}`)).json).toMatchObject({ status: 'done', active_locks: [] });
  expect(readFileSync(path.join(other, 'src/f2.txt'), 'utf8')).toBe('Write file 2\n');
  expect(stage.problems).toEqual([]);
});

test('what was taken away from a worker is refused by its number, and the next one stands', {
  timeout: LONG_MS,
}, async () => {
  const stage = await ServerStage.start();
  const { run_id: run, ...plan } = planOf(1);
  await stage.post('/ledgers', { plan: { ...plan, run_id: run }, repo: stage.repo });
  const at = (part: string) => `/ledgers/${run}/${part}`;
  const slow = (await stage.post(at('claim'), { owner: 'slow' })).json;
  // As when it was silent for too long: its task is open again, and somebody else takes it.
  const back = { task_id: 'T-1', owner: 'lead', reason: 'silent' };
  await stage.post(at('deltas'), [
    { ...back, status: 'blocked', delta_id: 'd1' },
    { ...back, status: 'todo', delta_id: 'd2' },
  ]);
  const next = (await stage.post(at('claim'), { owner: 'next' })).json;
  expect([slow.epoch, next.epoch]).toEqual([1, 2]);
  const late = await stage.post(at('results'), { ...resultOf(run, 1), epoch: slow.epoch });
  expect([late.status, late.json.code]).toEqual([409, 'HANDOFF_LOST']);
  expect((await stage.post(at('heartbeats'), { task_id: 'T-1', epoch: 1 })).json.code).toBe('HANDOFF_LOST');
  const good = await stage.post(at('results'), { ...resultOf(run, 1), epoch: next.epoch });
  expect(good.json.tasks).toMatchObject([{ status: 'done', owner: 'next' }]);
});

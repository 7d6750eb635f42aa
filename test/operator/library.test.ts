import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { JobStage } from '../jobs/job-stage.js';
import { planOf, resultOf } from '../server/plan-of.js';

const LONG_MS = 120_000;
/** As it is published: it starts threads of its own, which only the build has. */
const LIBRARY = path.resolve(import.meta.dirname, '../../dist/lib/index.js');
const EXAMPLES = path.resolve(import.meta.dirname, '../../examples/operator');

async function opened(stage: JobStage) {
  const { openBaton } = (await import(LIBRARY)) as typeof import('../../src/index.js');
  const baton = await openBaton({ home: stage.home, env: { PATH: stage.path } });
  onTestFinished(() => baton.close());
  return baton;
}

test('a program leads a ledger: claims, beats, hands in, hands over', { timeout: LONG_MS }, async () => {
  const stage = new JobStage();
  const { ledgers } = await opened(stage);
  const { run_id, status } = await ledgers.create(planOf(2), { repo: stage.repo });
  expect(status).toBe('todo');
  const { epoch } = await ledgers.claim(run_id, 'me');
  expect((await ledgers.heartbeat(run_id, 'T-1', epoch)).tasks[0]?.status).toBe('in_progress');
  await expect(ledgers.result(run_id, resultOf(run_id, 1), null)).rejects.toMatchObject({ code: 'HANDOFF_LOST' });
  expect((await ledgers.result(run_id, resultOf(run_id, 1), epoch)).tasks[0]?.status).toBe('done');
  expect(await ledgers.assign(run_id, 'T-2', 'you')).toMatchObject({ task: { task_id: 'T-2' } });
  const deltas = [{ task_id: 'T-2', status: 'canceled', owner: 'me', reason: 'enough', delta_id: 'd1' }];
  expect(await ledgers.delta(run_id, deltas)).toMatchObject({ status: 'done', active_locks: [] });
  expect(await ledgers.reconcile(run_id)).toEqual(await ledgers.tick(run_id));
  expect(await ledgers.worklog(run_id, 'T-1')).toMatchObject([{ action: 'assign' }, { action: 'result' }]);
  const elsewhere = new JobStage();
  const other = (await opened(elsewhere)).ledgers;
  const taken = await other.takeOver(await ledgers.handoff(run_id), { repo: elsewhere.repo });
  expect(taken.tasks.map((task) => task.status)).toEqual(['done', 'canceled']);
});

test('the plan and the worker of the examples come to a branch with one commit for each task', {
  timeout: LONG_MS,
}, async () => {
  const stage = new JobStage();
  const baton = await opened(stage);
  const command = [process.execPath, path.join(EXAMPLES, 'worker.mjs')];
  await baton.agents.register({ id: 'writer', adapter: 'command', command } as never);
  const plan = JSON.parse(readFileSync(path.join(EXAMPLES, 'plan.json'), 'utf8'));
  const { run_id } = await baton.ledgers.create(plan, { repo: stage.repo, agent: 'writer' });
  expect(await baton.ledgers.run(run_id)).toMatchObject({ status: 'done' });
  const branch = `baton/${run_id}`;
  expect(stage.git('show', `${branch}:guide/index.md`)).toBe('# What is in the guide');
  expect(stage.git('rev-list', '--count', `main..${branch}`)).toBe('3');
  expect((await baton.ledgers.board(run_id)).metrics).toMatchObject({ first_pass: 1 });
});

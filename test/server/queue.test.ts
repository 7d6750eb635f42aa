import { expect, test, vi } from 'vitest';
import type { JobCard } from '../../src/client/index.js';
import { ANSWERS, prints } from '../jobs/job-stage.js';
import { ServerStage } from './server-stage.js';

const TIMEOUT = { timeout: 120_000 };
const WAIT = { timeout: 60_000, interval: 50 };

const cardsOf = async (stage: ServerStage, query = '') =>
  (await stage.get(`/jobs${query}`)).json.items as unknown as JobCard[];

test('a job that is moved in the queue has its turn before others that came earlier', TIMEOUT, async () => {
  const stage = await ServerStage.start({ concurrency: { per_agent: 1, per_login: 1 } });
  await stage.shell(
    'one',
    `echo "$REQUEST" | grep -o 'number [a-z]*' | head -1 >> ${stage.folder}/turns
while [ ! -e ${stage.folder}/go ]; do sleep 0.05; done
${prints(ANSWERS.completed)}`,
  );
  const make = (id: string) =>
    stage.post('/jobs', {
      ...{ id, prompt: `number ${id}`, agent: 'one', supervisor: 'none' },
      repo: stage.repo,
      activate: true,
    });
  await make('a');
  await stage.until('turns');
  for (const id of ['b', 'c', 'd']) await make(id);
  const waiting = async () =>
    (await cardsOf(stage, '?ids=b,c,d')).filter(({ now }) => now.includes('waits for its turn'));
  await vi.waitFor(async () => expect(await waiting()).toHaveLength(3), WAIT);
  expect((await stage.post('/jobs/d/rank', { rank: -1 })).json.status).toBe('PENDING');
  expect((await cardsOf(stage, '?ids=d'))[0]).toMatchObject({ rank: -1, phase: 0, after: [] });
  expect((await stage.post('/jobs/a/rank', { rank: 4 })).json.code, 'at work already').toBe('INVALID_TRANSITION');
  expect((await stage.post('/jobs/d/rank')).json.code, 'no rank').toBe('USAGE');
  stage.touch('go');
  await vi.waitFor(async () => expect((await stage.get('/jobs/c')).json.status).toBe('SUCCESS'), WAIT);
  const { readFileSync } = await import('node:fs');
  expect(readFileSync(`${stage.folder}/turns`, 'utf8')).toBe('number a\nnumber d\nnumber b\nnumber c\n');
});

test('cards: what is open and what ended last, or those that are named', TIMEOUT, async () => {
  const stage = await ServerStage.start();
  await stage.scripted('one', [{ answer: ANSWERS.completed }]);
  const order = { agent: 'one', supervisor: 'none', repo: stage.repo, cost_usd: 3 };
  await stage.post('/jobs', { ...order, id: 'done', prompt: 'Now', activate: true });
  await stage.post('/jobs', { ...order, id: 'draft', prompt: 'Later', after: ['done'] });
  await vi.waitFor(async () => expect((await stage.get('/jobs/done')).json.status).toBe('SUCCESS'), WAIT);
  expect((await cardsOf(stage)).map(({ run_id }) => run_id).sort()).toEqual(['done', 'draft']);
  expect(await cardsOf(stage, '?ids=draft,nobody')).toMatchObject([
    {
      ...{ run_id: 'draft', status: 'DRAFT', now: 'not started', after: ['done'], rank: 0, limits: { cost_usd: 3 } },
      phases: [{ name: 'implementation', role: 'Worker' }],
    },
  ]);
  const many = Array.from({ length: 101 }, (_, index) => `j${index}`).join(',');
  expect((await stage.get(`/jobs?ids=${many}`)).status).toBe(400);
  expect((await stage.get(`/runs?ids=${many}`)).status).toBe(400);
  const { items = [] } = (await stage.get('/runs?ids=done,nobody,one')).json;
  expect(items.map(({ run_id, kind }) => [run_id, kind])).toEqual([
    ['done', 'job'],
    ['one', 'agent'],
  ]);
});

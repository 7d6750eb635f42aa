import { expect, onTestFinished, test, vi } from 'vitest';
import { CONTRACT_NAMES } from '../../src/contracts/contract-names.js';
import { ServerStage } from './server-stage.js';

const ANSWER = { action: 'COMPLETED', evidence_files: [], summary_for_supervisor: 'Done.' };

test('payloads are judged: allowed 200, denied 422, unknown contract 404', async () => {
  const stage = await ServerStage.start();
  const judge = (contract: string, body: unknown) => stage.post(`/validate/${contract}`, body);
  const allowed = await judge('agent-response', ANSWER);
  expect([allowed.status, allowed.json.allow]).toEqual([200, true]);
  const denied = await judge('agent-response', { ...ANSWER, action: 'MAYBE' });
  expect([denied.status, denied.json]).toMatchObject([422, { allow: false, code: 'SCHEMA_INVALID' }]);
  expect((await judge('agent-response', 5)).status).toBe(422);
  const strict = await stage.post('/validate/agent-response?strict=true', { ...ANSWER, extra: 1 });
  expect(strict.json.code).toBe('SCHEMA_INVALID');
  expect((await judge('nothing', {})).status).toBe(404);
  const names = (await stage.get('/schemas')).json.items?.map(({ name }) => name);
  expect(names).toEqual([...CONTRACT_NAMES]);
  expect((await stage.get('/schemas/agent-response')).json).toMatchObject({ title: 'Agent Response Schema' });
  expect((await stage.get('/schemas/nothing')).json.code).toBe('MISSING_VALIDATOR');
});

test('agents are registered and listed; rules are kept and taken back', async () => {
  const stage = await ServerStage.start();
  const agent = { id: 'puller', adapter: 'queue', labels: ['linux'] };
  expect((await stage.post('/agents', agent)).json).toEqual({ ...agent, status: 'registered' });
  expect((await stage.get('/agents')).json.items).toContainEqual({ ...agent, status: 'registered', account: 'puller' });
  expect((await stage.post('/agents', { id: 'x', adapter: 'none' })).status).toBe(422);
  const rule = { decision: 'allow', repo: stage.repo, argv: ['npm', 'test'] };
  const made = await stage.post('/rules', rule);
  expect([made.status, made.json]).toMatchObject([201, { id: '1', ...rule, author: 'local' }]);
  expect((await stage.get('/rules')).json.items?.length).toBe(1);
  expect((await stage.ask('DELETE', '/api/v1/rules/1')).status).toBe(200);
  expect((await stage.ask('DELETE', '/api/v1/rules/1')).json.code).toBe('RULE_NOT_FOUND');
  expect((await stage.get('/rules')).json.items).toEqual([]);
});

test('runs are listed, filtered and paged', async () => {
  const stage = await ServerStage.start();
  for (const id of ['a', 'b', 'c']) {
    await stage.post('/jobs', { id, prompt: `Task ${id}`, agent: 'human', supervisor: 'none' });
  }
  const first = (await stage.get('/runs?kind=job&limit=2')).json;
  const second = (await stage.get(`/runs?kind=job&limit=2&after=${encodeURIComponent(String(first.next))}`)).json;
  const ids = [...(first.items ?? []), ...(second.items ?? [])].map(({ run_id }) => run_id);
  expect([ids, second.next]).toEqual([['c', 'b', 'a'], null]);
  expect((await stage.get('/runs?kind=job&q=Task%20b')).json.items).toMatchObject([{ run_id: 'b', status: 'DRAFT' }]);
  expect((await stage.get('/runs?status=SUCCESS')).json.items).toEqual([]);
  expect((await stage.get('/runs/none')).json.code).toBe('RUN_NOT_FOUND');
});

test('addresses that are none, and methods that are not theirs', async () => {
  const stage = await ServerStage.start();
  expect((await stage.get('/nothing')).json.code).toBe('ROUTE_NOT_FOUND');
  const { status, json } = await stage.ask('PUT', '/api/v1/jobs');
  expect([status, json.details]).toEqual([405, { allowed: ['GET', 'POST'] }]);
  expect((await stage.ask('GET', '/healthz', { token: null })).json).toMatchObject({ ok: true });
  expect((await stage.ask('GET', '/readyz', { token: null })).status).toBe(200);
  const { headers } = await stage.get('/runs');
  expect(headers.get('content-security-policy')).toBe("default-src 'none'; frame-ancestors 'none'");
  expect(headers.get('access-control-allow-origin')).toBeNull();
});

test('who asks too often is told to wait, and others are not kept waiting', async () => {
  const stage = await ServerStage.start();
  const [loud, quiet] = [await stage.tokenOf('viewer', 'loud'), await stage.tokenOf('viewer', 'quiet')];
  // A second that does not pass, however slow this machine is.
  const stopped = vi.spyOn(stage.baton.clock, 'monotonicMs').mockReturnValue(stage.baton.clock.monotonicMs());
  onTestFinished(() => stopped.mockRestore());
  const asked = await Promise.all(Array.from({ length: 210 }, () => stage.get('/schemas/plan', { token: loud })));
  const refused = asked.filter(({ status }) => status === 429);
  expect(refused.length).toBe(10);
  expect(refused[0]?.json.code).toBe('RATE_LIMITED');
  expect((await stage.get('/schemas/plan', { token: quiet })).status).toBe(200);
});

test('budgets are set, listed and taken away; jobs have a project', async () => {
  const stage = await ServerStage.start();
  const set = (body: object) => stage.post('/budgets', body);
  expect((await set({ project: 'shop', usd_per_day: 20 })).json).toMatchObject({ project: 'shop', limit_usd: 20 });
  expect((await set({ project: null, usd_per_day: null, tokens_per_day: 900 })).status).toBe(200);
  const { items, next } = (await stage.get('/budgets')).json;
  const resets_at = expect.stringMatching(/T00:00:00.000Z$/);
  const tokens = { limit_tokens: null, spent_tokens: 0, left_tokens: null };
  expect([items?.[1], next]).toEqual([
    { project: 'shop', per: 'day', limit_usd: 20, spent_usd: 0, left_usd: 20, ...tokens, resets_at },
    null,
  ]);
  expect(items?.[0]).toMatchObject({ project: null, limit_usd: null, left_usd: null, left_tokens: 900 });
  for (const bad of [{ usd_per_day: 1 }, { project: 'a', usd_per_day: 0 }, { project: ' a', usd_per_day: 1 }]) {
    expect((await set(bad)).status, JSON.stringify(bad)).toBe(422);
  }
  expect((await set({ project: 'shop', usd_per_day: null })).json).toMatchObject({ limit_usd: null });
  expect((await set({ project: 'shop', usd_per_day: null })).json.code).toBe('BUDGET_NOT_FOUND');
  const job = { prompt: 'Do it', agent: 'human', supervisor: 'none' };
  await stage.post('/jobs', { ...job, id: 'a', project: 'shop' });
  await stage.post('/jobs', { ...job, id: 'b' });
  await stage.post('/jobs', { ...job, id: 'c', repo: stage.repo });
  const projects = (await stage.get('/runs?kind=job')).json.items?.map(({ run_id, project }) => [run_id, project]);
  expect(projects).toEqual([
    ['c', 'repo'],
    ['b', 'default'],
    ['a', 'shop'],
  ]);
  expect((await stage.get('/runs?project=shop')).json.items).toMatchObject([{ run_id: 'a' }]);
  expect((await stage.get('/cost?by=model')).json.items).toEqual([]);
  expect((await stage.get('/cost?by=planet')).status).toBe(400);
});

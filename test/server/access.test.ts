import { readFileSync } from 'node:fs';
import { request } from 'node:http';
import path from 'node:path';
import { expect, test, vi } from 'vitest';
import { LEAST_ROLE, ROLES, type Role, type Verb } from '../../src/core/access/role.js';
import { ROUTES } from '../../src/server/routes/all.js';
import { openBaton } from '../../src/wiring.js';
import { ANSWERS, JobStage } from '../jobs/job-stage.js';
import { ServerStage } from './server-stage.js';

const LONG_MS = 120_000;

/** What a browser logs in by is no row of the API. */
const BESIDE = [{ method: 'POST', path: '/api/v1/console/links', verb: 'console.open' }] as const;
/** What connections to sessions ask for: test/session/transports/roles.test.ts. */
const BY_CONNECTIONS: readonly Verb[] = ['session.open', 'session.input', 'session.approve'];

test('every role at every address: let in from the least role on, refused before it', {
  timeout: LONG_MS,
}, async () => {
  const stage = await ServerStage.start();
  const tokens = new Map<Role, string>();
  for (const role of ROLES) tokens.set(role, await stage.tokenOf(role));
  const wrong: string[] = [];
  let asked = 0;
  const all = [...ROUTES, ...BESIDE];
  for (const { method, path: pattern, verb } of all) {
    const where = pattern.replace(/:[a-z]+|[*]/g, 'no-such-thing');
    for (const role of ROLES) {
      // A body that no contract takes: who is let in is refused for that, and nothing happens.
      const said = method === 'POST' ? { body: { no_such_field: true } } : {};
      const { status, json } = await stage.ask(method, where, { token: tokens.get(role) ?? '', ...said });
      asked += 1;
      const let_in = !(status === 403 && json.code === 'FORBIDDEN');
      const may = ROLES.indexOf(role) >= ROLES.indexOf(LEAST_ROLE[verb]);
      if (let_in !== may || status === 401 || status >= 500) wrong.push(`${role} ${method} ${where}: ${status}`);
    }
  }
  expect(wrong).toEqual([]);
  expect(asked).toBe(all.length * ROLES.length);
  const used = new Set<Verb>([...all.map(({ verb }) => verb), ...BY_CONNECTIONS]);
  expect(Object.keys(LEAST_ROLE).filter((verb) => !used.has(verb as Verb))).toEqual([]);
});

test('a token is told once, kept as a hash, listed without it and revoked', { timeout: LONG_MS }, async () => {
  const stage = await ServerStage.start();
  const token = await stage.tokenOf('viewer', 'eva');
  expect(token).toMatch(/^baton_[\w-]{43}$/);
  const twice = await stage.post('/tokens', { name: 'eva', role: 'admin' });
  expect(twice.status).toBe(409);
  const list = await stage.get('/tokens');
  expect(list.json.items).toEqual([
    { name: 'eva', role: 'viewer', agent: null, created_at: expect.any(String), expires_at: null },
  ]);
  const told = [list.text, (await stage.get('/events?limit=1000')).text];
  const kept = ['baton.db', 'baton.db-wal'].map((file) => readFileSync(path.join(stage.home, file), 'latin1'));
  for (const text of [...told, ...kept]) expect(text).not.toContain(token);
  expect((await stage.get('/runs', { token })).status).toBe(200);
  expect((await stage.ask('DELETE', '/api/v1/tokens/eva')).status).toBe(200);
  expect((await stage.get('/runs', { token })).json.code).toBe('UNAUTHENTICATED');
  expect((await stage.ask('DELETE', '/api/v1/tokens/eva')).json.code).toBe('TOKEN_NOT_FOUND');
  const refusedAt = async () =>
    (await stage.get('/events?limit=1000')).json.items?.find(({ type }) => type === 'RequestsRefused')?.data;
  await expect.poll(refusedAt, { timeout: 10_000 }).toMatchObject({
    refused: [{ code: 'UNAUTHENTICATED', method: 'GET', path: '/api/v1/runs', count: 1, by: null }],
  });
});

test('open streams end when their token is revoked, also by another process', { timeout: LONG_MS }, async () => {
  const stage = await ServerStage.start();
  for (const how of ['here', 'elsewhere']) {
    const token = await stage.tokenOf('viewer', how);
    let ended = false;
    const accept = { accept: 'text/event-stream' };
    const stream = stage.get('/events', { token, headers: accept }).then(() => {
      ended = true;
    });
    await stage.get('/runs', { token });
    expect(ended).toBe(false);
    if (how === 'here') await stage.ask('DELETE', `/api/v1/tokens/${how}`);
    else {
      const other = await openBaton({ home: stage.home, env: {}, cwd: stage.repo, writer: 'main' });
      await other.tokens.revoke(how, 'somebody');
      await other.close();
    }
    await vi.waitUntil(() => ended, { timeout: 5_000 });
    await stream;
  }
});

test('nobody answers for the work of the agent they act for; with four eyes also not for their own job', {
  timeout: LONG_MS,
}, async () => {
  const stage = await ServerStage.start({ approvals: { four_eyes: true } });
  await stage.scripted('agent', [{ when: {}, answer: ANSWERS.stuck }]);
  const [own, author, other] = [
    await stage.tokenOf('steward', 'bot', 'agent'),
    await stage.tokenOf('admin', 'anna'),
    await stage.tokenOf('steward', 'eva'),
  ];
  const order = { id: 'j', prompt: 'Do it', agent: 'agent', supervisor: 'none', activate: true };
  await stage.post('/jobs', order, { token: author });
  const { waiting_for: item } = await stage.untilStatus('j', 'INTERVENTION_REQUIRED');
  const answer = (token: string) => stage.post(`/inbox/${item}/answer`, { decision: 'deny' }, { token });
  const codes = [];
  for (const token of [own, author]) codes.push((await answer(token)).json.code);
  // The same in other words, past the inbox.
  for (const act of ['resubmit', 'terminate', 'rerun', 'restep']) {
    for (const token of [own, author]) codes.push((await stage.post(`/jobs/j/${act}`, {}, { token })).json.code);
  }
  for (const act of ['rollback', 'land']) {
    codes.push((await stage.post(`/jobs/j/${act}`, {}, { token: own })).json.code);
  }
  const review = { role: 'Supervisor', response: ANSWERS.completed };
  codes.push((await stage.post('/jobs/j/poststep', review, { token: own })).json.code);
  expect(new Set(codes)).toEqual(new Set(['FORBIDDEN']));
  expect((await answer(other)).json.status).toBe('CANCELED');
});

test('a token counts until its time is over, then it is refused by name, its streams end and its place is free', {
  timeout: LONG_MS,
}, async () => {
  const stage = await ServerStage.start();
  const inMs = (ms: number) => new Date(Date.now() + ms).toISOString();
  const make = (expires_at: string) => stage.post('/tokens', { name: 'eva', role: 'viewer', expires_at });
  expect((await make(inMs(-1))).json).toMatchObject({ code: 'SCHEMA_INVALID', details: { path: '/expires_at' } });
  const token = String((await make(inMs(3_000))).json.token);
  const stream = await fetch(`${stage.server.url}/api/v1/events`, {
    headers: { authorization: `Bearer ${token}`, accept: 'text/event-stream' },
  });
  expect(stream.status).toBe(200);
  const ended = stream.text();
  expect((await make(inMs(9_000))).status, 'it still counts').toBe(409);
  await vi.waitUntil(async () => (await stage.get('/runs', { token })).status === 401, { timeout: 20_000 });
  expect((await stage.get('/runs', { token })).json.code).toBe('TOKEN_EXPIRED');
  await ended;
  expect((await make(inMs(60_000))).status).toBe(201);
  expect((await stage.get('/runs', { token })).json.code, 'it was another one').toBe('UNAUTHENTICATED');
});

test('baton token create --expires', async () => {
  const stage = new JobStage();
  const { printed } = await stage.json('token', 'create', '--role', 'viewer', '--name', 'wall', '--expires', '30d');
  const days = (Date.parse(String(printed.expires_at)) - Date.now()) / 86_400_000;
  expect(Math.round(days)).toBe(30);
  expect((await stage.cli('token', 'create', '--role', 'viewer', '--name', 'x', '--expires', 'soon')).code).toBe(2);
  expect((await stage.ok('token', 'list')).out).toContain(`until ${printed.expires_at}`);
});

test('who waits to be asked for a body is asked once it is known who it is', async () => {
  const stage = await ServerStage.start();
  const send = (token: string) =>
    new Promise<{ asked: boolean; status: number | undefined }>((resolve, reject) => {
      const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json', expect: '100-continue' };
      let asked = false;
      const sent = request(`${stage.server.url}/api/v1/validate/agent-response`, { method: 'POST', headers });
      sent.on('continue', () => {
        asked = true;
        sent.end(JSON.stringify(ANSWERS.completed));
      });
      sent.on('response', (response) => {
        response.resume();
        sent.end();
        resolve({ asked, status: response.statusCode });
      });
      sent.on('error', reject);
      sent.flushHeaders();
    });
  expect(await send(stage.token)).toEqual({ asked: true, status: 200 });
  expect(await send('wrong')).toEqual({ asked: false, status: 401 });
});

test('what is refused over HTTP can be put right by its hint', { timeout: LONG_MS }, async () => {
  const stage = await ServerStage.start();
  const hintOf = async (where: string, headers: Record<string, string> = {}) => {
    const { status, json } = await stage.get(where, { headers });
    return [status, json.hint];
  };
  const site = [403, expect.stringMatching(/^Ask from a program/)];
  expect(await hintOf('/runs', { origin: 'https://evil.example' })).toEqual(site);
  expect(await hintOf('/runs', { 'sec-fetch-site': 'cross-site' })).toEqual(site);
  const request = [400, expect.stringContaining('GET /openapi.json')];
  expect(await hintOf('/events?after=x')).toEqual(request);
  expect(await hintOf('/runs?limit=1&limit=2')).toEqual(request);
});

import { expect, test } from 'vitest';
import { type Served, serve } from '../client/served.js';
import { JobStage } from '../jobs/job-stage.js';

const TIMEOUT = { timeout: 60_000 };

type Asked = { method?: string; headers?: Record<string, string>; body?: unknown };
type Told = { status: number; headers: Headers; said: Record<string, string> };

/** As a browser or a program would, with just these headers. */
async function ask({ url }: Served, path: string, { method = 'GET', headers = {}, body }: Asked = {}): Promise<Told> {
  const type = body === undefined ? {} : { 'content-type': 'application/json' };
  const sent = { method, headers: { ...headers, ...type }, ...(body !== undefined && { body: JSON.stringify(body) }) };
  const answer = await fetch(url + path, sent);
  const text = await answer.text();
  const json = answer.headers.get('content-type')?.startsWith('application/json');
  return { status: answer.status, headers: answer.headers, said: json ? JSON.parse(text) : {} };
}

const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

async function codeOf(served: Served, token = served.token): Promise<string> {
  const { said } = await ask(served, '/api/v1/console/links', { method: 'POST', headers: bearer(token) });
  return said.url?.split('#')[1] ?? '';
}

async function logIn(served: Served, token = served.token) {
  const body = { code: await codeOf(served, token) };
  const headers = { origin: served.url };
  const told = await ask(served, '/api/v1/console/session', { method: 'POST', headers, body });
  const set = told.headers.get('set-cookie') ?? '';
  const cookie = set.split(';')[0] ?? '';
  const page = { cookie, 'baton-proof': told.said.proof ?? '', 'sec-fetch-site': 'same-origin' };
  return { told, set, cookie, page };
}

test('a link logs in once; the cookie is only for pages of this server, and only with its proof', TIMEOUT, async () => {
  const served = await serve(new JobStage());
  const { told, set, cookie, page } = await logIn(served);
  expect(told.status).toBe(201);
  expect(set).toMatch(/^baton-\d+=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict; Max-Age=43200$/);
  const who = await ask(served, '/api/v1/whoami', { headers: page });
  expect(who.said).toMatchObject({ name: 'anna', role: 'admin' });
  const refused: Record<string, Record<string, string>> = {
    'cookie alone, as another port gets it': { cookie, 'sec-fetch-site': 'same-origin' },
    'wrong proof': { ...page, 'baton-proof': 'x'.repeat(43) },
    'proof alone': { 'baton-proof': page['baton-proof'], 'sec-fetch-site': 'same-origin' },
    'two cookies': { ...page, cookie: `${cookie}; ${cookie}` },
  };
  for (const [name, headers] of Object.entries(refused)) {
    expect((await ask(served, '/api/v1/whoami', { headers })).status, name).toBe(401);
  }
  const elsewhere: Record<string, Record<string, string>> = {
    'no word where it comes from': { cookie, 'baton-proof': page['baton-proof'] },
    'typed into the bar': { ...page, 'sec-fetch-site': 'none' },
    'another port': { ...page, 'sec-fetch-site': 'same-site' },
    'another page': { ...page, origin: 'http://evil.example' },
  };
  for (const [name, headers] of Object.entries(elsewhere)) {
    expect((await ask(served, '/api/v1/whoami', { headers })).status, name).toBe(403);
  }
});

test('a code counts once, only from our own page, and never as a token', TIMEOUT, async () => {
  const served = await serve(new JobStage());
  const code = await codeOf(served);
  const send = (headers: Record<string, string>, body: unknown) =>
    ask(served, '/api/v1/console/session', { method: 'POST', headers, body });
  const own = { origin: served.url };
  expect((await send({}, { code })).status, 'no origin').toBe(403);
  expect((await send({ origin: 'http://evil.example' }, { code })).status).toBe(403);
  expect((await send(own, { code: 'guess' })).status).toBe(401);
  expect((await send(own, { code: 'x'.repeat(2_000) })).status).toBe(413);
  expect((await ask(served, '/api/v1/runs', { headers: bearer(code) })).status).toBe(401);
  expect((await send(own, { code })).status).toBe(201);
  expect((await send(own, { code })).status, 'the second time').toBe(401);
});

test('a session cannot make itself last, and may only what its token may', TIMEOUT, async () => {
  const stage = new JobStage();
  const served = await serve(stage);
  const order = { method: 'POST', headers: bearer(served.token), body: { name: 'eve', role: 'viewer' } };
  const { token = '' } = (await ask(served, '/api/v1/tokens', order)).said;
  const { page } = await logIn(served, token);
  const link = await ask(served, '/api/v1/console/links', { method: 'POST', headers: page });
  expect(link).toMatchObject({ status: 403, said: { code: 'FORBIDDEN' } });
  const job = await ask(served, '/api/v1/jobs', { method: 'POST', headers: page, body: { prompt: 'x' } });
  expect(job).toMatchObject({ status: 403, said: { code: 'FORBIDDEN' } });
  const stream = await fetch(`${served.url}/api/v1/events`, { headers: { ...page, accept: 'text/event-stream' } });
  expect(stream.status).toBe(200);
  await ask(served, '/api/v1/tokens/eve', { method: 'DELETE', headers: bearer(served.token) });
  expect(await stream.text().then(() => 'ended')).toBe('ended');
  expect((await ask(served, '/api/v1/whoami', { headers: page })).status).toBe(401);
});

test('whoever logs out is out, also on streams, and nothing of it stays in the browser', TIMEOUT, async () => {
  const served = await serve(new JobStage());
  const { page } = await logIn(served);
  const other = await logIn(served);
  const stream = await fetch(`${served.url}/api/v1/events`, { headers: { ...page, accept: 'text/event-stream' } });
  const out = await ask(served, '/api/v1/console/session', { method: 'DELETE', headers: page });
  expect(out.status).toBe(200);
  expect(out.headers.get('clear-site-data')).toBe('"cache", "storage"');
  expect(out.headers.get('set-cookie')).toContain('Max-Age=0');
  expect(await stream.text().then(() => 'ended')).toBe('ended');
  expect((await ask(served, '/api/v1/whoami', { headers: page })).status).toBe(401);
  expect((await ask(served, '/api/v1/whoami', { headers: other.page })).status).toBe(200);
});

test('pages are public and strict; what a page needs keeps for ever, and nothing else does', TIMEOUT, async () => {
  const served = await serve(new JobStage());
  const page = await fetch(`${served.url}/runs/any`, { headers: { 'sec-fetch-site': 'cross-site' } });
  expect(page.headers.get('content-security-policy')).toContain("default-src 'none'; script-src 'self'");
  expect(page.headers.get('cache-control')).toBe('no-store');
  const html = await page.text();
  expect(html).not.toMatch(/<style|style=|<script>| on[a-z]+=/);
  const [, script = ''] = /src="(\/assets\/[^"]+\.js)"/.exec(html) ?? [];
  const asset = await fetch(served.url + script);
  expect(asset.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
  for (const path of ['/assets/..%2findex.html', '/assets/../../package.json', '/assets/none.js']) {
    expect((await fetch(served.url + path)).status, path).toBe(401);
  }
});

test('baton console prints a link that works, and starts nothing twice', TIMEOUT, async () => {
  const stage = new JobStage();
  const served = await serve(stage);
  const { printed } = await stage.json('console');
  expect(printed).toEqual({ url: expect.stringMatching(/\/login#[\w-]{43}$/), seconds: 60 });
  const body = { code: String(printed.url).split('#')[1] };
  const headers = { 'sec-fetch-site': 'same-origin' };
  expect((await ask(served, '/api/v1/console/session', { method: 'POST', headers, body })).status).toBe(201);
});

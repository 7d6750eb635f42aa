import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ERRORS } from '../../src/contracts/shared/errors.js';
import { LOG_IN_ROUTES } from '../../src/server/console/log-in.js';
import { ROUTES } from '../../src/server/routes/all.js';
import { anyText, fromSchema } from './from-schema.js';
import { ServerStage } from './server-stage.js';

const LONG_MS = 300_000;
/** Each is let through so many times a second that they must take turns. */
const CLIENTS = 10;
const ROUNDS = 30;

type Parameter = { name: string; in: 'path' | 'query' | 'header' };
type Operation = { parameters: Parameter[]; requestBody?: { content: { 'application/json': { schema: object } } } };
type Description = { openapi: string; paths: Record<string, Record<string, Operation>> };
type Request = { path: string; query: string; headers: Record<string, string>; body: unknown };

function requestsOf(path: string, { parameters, requestBody }: Operation): fc.Arbitrary<Request> {
  const named = (where: Parameter['in']) => parameters.filter((one) => one.in === where).map(({ name }) => name);
  const name = fc.oneof(fc.constantFrom('j', 'system', '1', 'human'), anyText);
  const values = (names: readonly string[]) => fc.record(Object.fromEntries(names.map((one) => [one, name])));
  return fc
    .record({
      path: values(named('path')),
      query: fc.record(Object.fromEntries(named('query').map((one) => [one, anyText])), { requiredKeys: [] }),
      key: fc.option(fc.stringMatching(/^[ -~]{0,20}$/), { nil: undefined }),
      stream: fc.boolean(),
      body: fromSchema(requestBody?.content['application/json'].schema ?? {}),
    })
    .map(({ path: given, query, key, stream, body }) => ({
      path: path.replace(/\{(\w+)\}/g, (_, one: string) => encoded(String(given[one]))),
      query: new URLSearchParams(query as Record<string, string>).toString(),
      headers: { ...(key !== undefined && { 'idempotency-key': key }), ...(stream && { accept: 'text/event-stream' }) },
      body: requestBody ? withoutWaiting(body) : undefined,
    }));
}

/** Half a character has no form in an address; dots are put right by whoever sends them. */
function encoded(text: string): string {
  return encodeURIComponent(Buffer.from(text).toString()).replace(/^\.+$/, '%20.');
}

function withoutWaiting(body: unknown): unknown {
  return typeof body === 'object' && body !== null && 'wait' in body ? { ...body, wait: 0 } : body;
}

test('whatever is asked as the description says: no failure of the server, and refusals have their form', {
  timeout: LONG_MS,
}, async () => {
  const stage = await ServerStage.start();
  const tokens: string[] = [];
  for (let client = 0; client < CLIENTS; client += 1) tokens.push(await stage.tokenOf('admin', `client-${client}`));
  await stage.post('/jobs', { id: 'j', prompt: 'Wait', agent: 'human', supervisor: 'none' });
  const description = (await stage.ask('GET', '/openapi.json')).json as unknown as Description;
  const operations = Object.entries(description.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
  );
  expect([description.openapi, operations.length]).toEqual(['3.1.0', ROUTES.length + LOG_IN_ROUTES.length]);
  let number = 0;
  for (const { path, method, operation } of operations) {
    const property = fc.asyncProperty(requestsOf(path, operation), async ({ path: where, query, headers, body }) => {
      number += 1;
      const token = tokens[number % CLIENTS] ?? '';
      const leave = new AbortController();
      const response = await fetch(`${stage.server.url}${where}?${query}`, {
        ...{ method, signal: leave.signal },
        headers: {
          ...{ authorization: `Bearer ${token}`, ...headers },
          ...(body !== undefined && { 'content-type': 'application/json' }),
        },
        ...(body !== undefined && method !== 'GET' && { body: JSON.stringify(body) }),
      });
      const { status } = response;
      if (response.headers.get('content-type') === 'text/event-stream') return leave.abort();
      const text = await response.text();
      expect(status, text).toBeLessThan(500);
      if (status < 400) return;
      expect(JSON.parse(text)).toMatchObject({ allow: false, code: expect.any(String), reason: expect.any(String) });
      const verdict = path.startsWith('/api/v1/validate');
      expect(Object.keys(ERRORS)).toContain(JSON.parse(text).code);
      if (!verdict) expect(JSON.parse(text).hint).toEqual(expect.any(String));
    });
    await fc.assert(property, { numRuns: ROUNDS });
  }
  expect(stage.problems).toEqual([]);
  expect((await stage.get('/audit/verify')).json).toMatchObject({ ok: true });
});

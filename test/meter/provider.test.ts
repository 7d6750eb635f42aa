import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import type { Fault } from '../../src/testing/index.js';
import { TestClock } from '../engine/test-clock.js';
import { ask, type Got, Stage, send, until, WIRES } from './stage.js';

let stage: Stage;
afterEach(() => stage.close());

const codeOf = ({ text }: Got) => /baton_[a-z_]+/.exec(text)?.[0];

type Status = Omit<Extract<Fault, { kind: 'status' }>, 'kind'>;

describe('what a provider answers is told in the words of the matrix', () => {
  test.each<[Status, login: string, told: object | null]>([
    [{ status: 429, retry_after_s: 7 }, 'key', { kind: 'limit', retryAfterMs: 7_000 }],
    [{ status: 429, type: 'usage_limit_reached' }, 'own', { kind: 'limit' }],
    [{ status: 429, type: 'insufficient_quota' }, 'key', { kind: 'auth' }],
    [{ status: 401, type: 'invalid_api_key' }, 'key', { kind: 'auth' }],
    [{ status: 401, type: 'authentication_error' }, 'own', { kind: 'login' }],
    [{ status: 403 }, 'own', { kind: 'login' }],
    [{ status: 403 }, 'key', { kind: 'auth' }],
    [{ status: 529, type: 'overloaded_error', retry_after_s: 1 }, 'key', { kind: 'network', retryAfterMs: 1_000 }],
    [{ status: 500 }, 'key', { kind: 'network' }],
    [{ status: 400, type: 'invalid_request_error' }, 'key', null],
  ])('%j with the login %s', async (fault, login, told) => {
    stage = await Stage.step({ fault: { kind: 'status', ...fault } });
    const issued = stage.issue({}, { login });
    const got = await ask(issued, 'responses');
    expect(got.status).toBe(fault.status);
    expect(got.headers['retry-after']).toBe(fault.retry_after_s?.toString());
    expect(stage.failures).toEqual(
      told === null ? [] : [[login, { reason: expect.stringContaining('HTTP'), ...told }]],
    );
    expect(stage.meter.usageOf(issued.token)).toMatchObject({ inputTokens: 0, outputTokens: 0, estimated: false });
  });

  test.each(WIRES)('also inside a %s stream', async (wire) => {
    stage = await Stage.step({
      text: 'one two',
      fault: { kind: 'error-event', type: 'rate_limit_exceeded', after_deltas: 0 },
    });
    expect((await ask(stage.issue(), wire)).text).toContain('rate_limit_exceeded');
    expect(stage.failures).toEqual([['key', { kind: 'limit', reason: 'in a stream rate_limit_exceeded' }]]);
  });
});

test.each(WIRES)('a redirect of the %s wire is an error, and nobody follows it', async (wire) => {
  const trap = createServer((_request, response) => response.end('caught'));
  let visits = 0;
  trap.on('request', () => {
    visits += 1;
  });
  await new Promise<void>((resolve) => trap.listen(0, '127.0.0.1', resolve));
  const location = `http://127.0.0.1:${(trap.address() as AddressInfo).port}/v1/responses`;
  stage = await Stage.step({ fault: { kind: 'redirect', location } });
  const issued = stage.issue();
  const got = await ask(issued, wire);
  expect(stage.meter.usageOf(issued.token)).toMatchObject({ inputTokens: 0, estimated: false });
  expect([got.status, codeOf(got), got.headers.location]).toEqual([502, 'baton_upstream_redirect', undefined]);
  expect(stage.failures).toEqual([['key', { kind: 'network', reason: 'baton_upstream_redirect' }]]);
  expect(visits).toBe(0);
  trap.close();
});

test('a stream that is cut ends for the agent too, with all that came, and is told', async () => {
  stage = await Stage.step({ text: 'word '.repeat(100), delta_chars: 50, fault: { kind: 'cut', after_deltas: 5 } });
  const issued = stage.issue();
  const got = await ask(issued, 'messages');
  expect(got.whole).toBe(false);
  expect(got.text.match(/text_delta/g)?.length).toBe(5);
  expect(stage.failures).toEqual([['key', { kind: 'network', reason: 'baton_upstream_unreachable ECONNRESET' }]]);
  expect(stage.meter.usageOf(issued.token)).toMatchObject({ outputTokens: Math.ceil(250 / 4), estimated: true });
});

describe('a provider that hangs', () => {
  test('before it answers: the agent gets an error of the wire', async () => {
    const clock = new TestClock();
    stage = await Stage.step({ text: 'x', fault: { kind: 'hang', after_deltas: 0 } }, { clock });
    const asked = ask(stage.issue(), 'chat', { stream: false });
    await until(() => stage.provider.served()[0]?.tokens.input !== undefined);
    await clock.advance(11 * 60_000);
    const got = await asked;
    expect([got.status, codeOf(got), got.headers['x-should-retry']]).toEqual([504, 'baton_upstream_timeout', 'true']);
    expect(stage.failures).toEqual([['key', { kind: 'network', reason: 'baton_upstream_timeout' }]]);
  });

  test('in the middle: the stream is broken off', async () => {
    const clock = new TestClock();
    stage = await Stage.step({ text: 'word '.repeat(50), fault: { kind: 'hang', after_deltas: 3 } }, { clock });
    let seen = '';
    const asked = ask(stage.issue(), 'chat', {
      onData: (chunk) => {
        seen += chunk;
      },
    });
    await until(() => seen.split('"content":"w').length > 1);
    await clock.advance(6 * 60_000);
    expect((await asked).whole).toBe(false);
  });
});

test('a provider that is not there is said, and costs nothing', async () => {
  stage = await Stage.step({ text: 'x' });
  const issued = stage.issue();
  await stage.provider.close();
  const got = await ask(issued, 'responses');
  expect([got.status, codeOf(got)]).toEqual([502, 'baton_upstream_unreachable']);
  expect(stage.failures).toEqual([['key', { kind: 'network', reason: 'baton_upstream_unreachable ECONNREFUSED' }]]);
  expect(stage.meter.usageOf(issued.token)).toMatchObject({ inputTokens: 0, requests: 1 });
});

test('a provider that compresses all the same is refused: it could not be counted', async () => {
  const zipped = createServer((request, response) => {
    expect(request.headers['accept-encoding']).toBe('identity');
    response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' }).end('x');
  });
  await new Promise<void>((resolve) => zipped.listen(0, '127.0.0.1', resolve));
  const baseUrl = `http://127.0.0.1:${(zipped.address() as AddressInfo).port}`;
  stage = await Stage.step({}, { key: { baseUrl, login: { mode: 'own' } } });
  const got = await ask(stage.issue(), 'chat', { headers: { 'accept-encoding': 'gzip, br' } });
  expect([got.status, codeOf(got)]).toEqual([502, 'baton_upstream_encoding']);
  zipped.close();
});

test('what costs nothing goes through uncounted, also when the budget is used up', async () => {
  stage = await Stage.open({ models: ['scripted', 'other'], turns: [] });
  const { baseUrl, token } = stage.issue({ tokensMax: 0 });
  const headers = { 'x-api-key': token };
  const models = await send(`${baseUrl}/v1/models`, null, { headers });
  expect(JSON.parse(models.text).data.map(({ id }: { id: string }) => id)).toEqual(['scripted', 'other']);
  const counted = await send(`${baseUrl}/v1/messages/count_tokens?beta=true`, '{"messages":[]}', { headers });
  expect(JSON.parse(counted.text)).toEqual({ input_tokens: 4 });
  expect(stage.meter.usageOf(token)).toMatchObject({ requests: 0, inputTokens: 0 });
});

test.each([
  ['ftp://api.example/v1', 'sk-12345678'],
  ['https://user:secret@api.example/v1', 'sk-12345678'],
  ['https://api.example/v1?x=1', 'sk-12345678'],
  ['no address', 'sk-12345678'],
  ['https://api.example/v1', 'two\nlines'],
])('the configured address %j with the key %j is refused', async (baseUrl, key) => {
  stage = await Stage.step({}, { key: { baseUrl, login: { mode: 'key', key, header: 'authorization' } } });
  expect(() => stage.issue()).toThrowError(expect.objectContaining({ code: 'CONFIG_INVALID' }));
});

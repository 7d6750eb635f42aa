import { afterEach, describe, expect, test } from 'vitest';
import { createScrub } from '../../src/engine/scrub.js';
import { ask, KEY, Stage, send, WIRES } from './stage.js';

let stage: Stage;
afterEach(() => stage.close());

const everythingTold = () => JSON.stringify([stage.told, stage.stops, stage.failures]);

describe.each(WIRES)('on the %s wire', (wire) => {
  test.each([true, false])('the key goes to the provider and is nowhere else (stream: %s)', async (stream) => {
    // A provider that says the key back in its answer, over several deltas.
    stage = await Stage.step({ text: `it is ${KEY}, yes ${KEY}`, delta_chars: 200, reasoning: KEY, write_bytes: 13 });
    const issued = stage.issue();
    const got = await ask(issued, wire, { stream });
    const [seen] = stage.provider.served();
    expect(seen?.headers.authorization).toBe(`Bearer ${KEY}`);
    expect(JSON.stringify(seen?.headers)).not.toContain(issued.token);
    expect(got.whole).toBe(true);
    expect(got.text).toContain('it is ****');
    expect(got.text + JSON.stringify(got.headers)).not.toContain(KEY);
    expect(everythingTold()).not.toContain(KEY);
    expect(everythingTold()).not.toContain(issued.token);
  });

  test('a refusal of the provider that repeats the key, in its body and its headers, does not', async () => {
    stage = await Stage.step({
      fault: { kind: 'status', status: 401, type: KEY, headers: { 'x-debug': `key=${KEY}`, 'set-cookie': 'a=b' } },
    });
    const got = await ask(stage.issue(), wire);
    expect(got.status).toBe(401);
    expect(got.text + JSON.stringify(got.headers) + everythingTold()).not.toContain(KEY);
    expect(got.headers['set-cookie']).toBeUndefined();
    expect(() => JSON.parse(got.text)).not.toThrow();
  });
});

test('a login of its own goes through untouched and is told nowhere', async () => {
  stage = await Stage.step({ fault: { kind: 'status', status: 401, type: 'sk-own-login-5c1d' } });
  const { baseUrl, token } = stage.issue({}, { login: 'own' });
  const headers = { authorization: 'Bearer sk-own-login-5c1d', 'x-api-key': 'second', cookie: 'c=1' };
  const got = await ask({ baseUrl, token }, 'messages', { headers });
  expect(stage.provider.served()[0]?.headers).toMatchObject(headers);
  expect(JSON.stringify(stage.provider.served()[0]?.headers)).not.toContain(token);
  expect(got.status).toBe(401);
  expect(stage.failures).toEqual([['own', { kind: 'login', reason: 'HTTP 401' }]]);
});

test('what belongs to one connection does not go on to the next', async () => {
  stage = await Stage.step({ text: 'x', fault: { kind: 'no-usage' } });
  const { baseUrl, token } = stage.issue();
  const headers = {
    authorization: `Bearer ${token}`,
    connection: 'close, x-hop',
    'x-hop': '1',
    te: 'trailers',
    'proxy-authorization': 'Basic x',
    'anthropic-beta': 'kept',
  };
  await send(`${baseUrl}/v1/messages?beta=true`, '{"messages":[{"role":"user","content":"x"}]}', { headers });
  const seen = stage.provider.served()[0]?.headers ?? {};
  expect(Object.keys(seen).filter((name) => ['x-hop', 'te', 'proxy-authorization'].includes(name))).toEqual([]);
  expect([seen['anthropic-beta'], seen.host]).toEqual(['kept', new URL(stage.provider.url).host]);
});

test('with a key of Baton nothing goes along by which the agent is known', async () => {
  stage = await Stage.step({ text: 'x' });
  const { baseUrl, token } = stage.issue();
  const headers = { 'x-api-key': token, 'api-key': 'mine', cookie: 'session=1' };
  expect((await send(`${baseUrl}/v1/responses`, '{"input":"x"}', { headers })).status).toBe(200);
  const seen = stage.provider.served()[0]?.headers ?? {};
  expect([seen.authorization, seen['x-api-key'], seen['api-key'], seen.cookie]).toEqual([
    `Bearer ${KEY}`,
    ...[undefined, undefined, undefined],
  ]);
});

test('tokens have a shape that scrubbing knows', async () => {
  stage = await Stage.step({});
  const { token } = stage.issue();
  const own = stage.issue({}, { login: 'own' });
  const scrub = createScrub([]);
  expect(scrub(`key ${token} at ${own.baseUrl}/v1`)).not.toMatch(/[0-9a-f]{20}/);
});

import { connect } from 'node:net';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { Budget } from '../../src/agents/proxy/budget.js';
import { ask, bodyOf, type Got, PATHS, Stage, send, until, WIRES } from './stage.js';

let stage: Stage;
beforeEach(async () => {
  stage = await Stage.step({ text: 'hello' });
});
afterEach(() => stage.close());

const codeOf = ({ text }: Got) => /baton_[a-z_]+/.exec(text)?.[0];

describe.each(WIRES)('on the %s wire', (wire) => {
  test('a token of another handoff is refused', async () => {
    const [mine, other] = [stage.issue(), stage.issue({}, { handoff: 'h2' })];
    const got = await ask({ baseUrl: mine.baseUrl, token: other.token }, wire);
    expect([got.status, codeOf(got)]).toEqual([403, 'baton_token_of_another_handoff']);
  });

  test('a token that was revoked is refused, and what it used stays known', async () => {
    const issued = stage.issue();
    await ask(issued, wire);
    const last = stage.meter.revoke(issued.token)?.usage;
    const got = await ask(issued, wire);
    expect([got.status, codeOf(got)]).toEqual([401, 'baton_token_revoked']);
    expect(last?.requests).toBe(1);
    expect(stage.meter.usageOf(issued.token)).toEqual(last);
  });

  test('a token that was never given out, or none, is refused', async () => {
    const { baseUrl } = stage.issue();
    const unknown = await ask({ baseUrl, token: `sk-baton${'0'.repeat(64)}` }, wire);
    expect([unknown.status, codeOf(unknown)]).toEqual([401, 'baton_token_unknown']);
    const none = await send(baseUrl + PATHS[wire], bodyOf(wire));
    expect([none.status, codeOf(none)]).toEqual([401, 'baton_token_missing']);
  });

  test('the refusal has the form of that wire', async () => {
    const got = await send(stage.issue().baseUrl + PATHS[wire], bodyOf(wire));
    const error = { message: expect.any(String) };
    expect(JSON.parse(got.text)).toMatchObject(wire === 'messages' ? { type: 'error', error } : { error });
  });
});

test('the token of a login of its own does not open the door of another', async () => {
  const [own, key] = [stage.issue({}, { login: 'own' }), stage.issue()];
  const crossed = [
    await ask({ baseUrl: `${stage.meter.url}/own/${key.token}`, token: 'x' }, 'chat'),
    await ask({ baseUrl: key.baseUrl, token: own.token }, 'chat'),
  ];
  expect(crossed.map(codeOf)).toEqual(['baton_token_of_another_handoff', 'baton_token_of_another_handoff']);
});

test.each(['/', '/v1/responses', '/h/x/v1/../../etc', '//evil.example/v1/responses', '/h/x/responses'])(
  'the address %s leads nowhere',
  async (path) => {
    const got = await send(stage.meter.url + path, '{}', {
      headers: { authorization: `Bearer ${stage.issue().token}` },
    });
    expect([got.status, codeOf(got)]).toEqual([404, 'baton_path_unknown']);
  },
);

test('work that would go on in the background is not let through', async () => {
  const { baseUrl, token } = stage.issue();
  const headers = { authorization: `Bearer ${token}` };
  const got = await send(`${baseUrl}/v1/responses`, '{"model":"scripted","input":"x","background":true}', { headers });
  expect([got.status, codeOf(got)]).toEqual([400, 'baton_background']);
  expect(stage.meter.usageOf(token)).toMatchObject({ inputTokens: 0, outputTokens: 0 });
});

test.each([
  '/embeddings',
  '/responses/../embeddings',
  '/responses/resp_1',
  '/chat/completions/x',
  '/models/..',
  '/files',
  '/messages/batches',
])('nothing that is not counted is let through: %s', async (path) => {
  const { baseUrl, token } = stage.issue();
  const got = await raw(`POST ${new URL(baseUrl).pathname}/v1${path} HTTP/1.1`, token);
  expect(got).toMatch(/^HTTP\/1.1 404[\s\S]*baton_path_unknown/);
  expect(stage.provider.served()).toEqual([]);
});

test.each([
  ['bytes that are no letters', '?\xff'],
  ['a space', '?a b'],
  ['more than a query needs', `?${'x'.repeat(3_000)}`],
])('a query that cannot be sent on is refused: %s', async (_, query) => {
  const { baseUrl, token } = stage.issue();
  const got = await raw(`POST ${new URL(baseUrl).pathname}/v1/responses${query} HTTP/1.1`, token);
  expect(got).toMatch(/^HTTP\/1.1 40[04]/);
});

test('an address of another host in the request line leads nowhere', async () => {
  const { token } = stage.issue();
  expect(await raw('POST http://127.0.0.1:1/v1/responses HTTP/1.1', token)).toMatch(/^HTTP\/1.1 404/);
});

function raw(line: string, token: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(Number(new URL(stage.meter.url).port), '127.0.0.1');
    let text = '';
    socket.on('data', (chunk) => {
      text += chunk;
    });
    socket.on('close', () => resolve(text)).on('error', reject);
    socket.write(
      `${line}\r\nhost: x\r\nauthorization: Bearer ${token}\r\nconnection: close\r\ncontent-length: 2\r\n\r\n{}`,
      'latin1',
    );
  });
}

test('revoking ends what is under way', async () => {
  await stage.close();
  stage = await Stage.step({ text: 'word '.repeat(1_000), delta_delay_ms: 5 });
  const issued = stage.issue();
  const asked = ask(issued, 'messages');
  await until(() => stage.told.length > 5);
  const last = stage.meter.revoke(issued.token)?.usage;
  expect((await asked).whole).toBe(false);
  expect(last).toMatchObject({ requests: 1, estimated: true });
  expect(stage.meter.usageOf(issued.token)).toEqual(last);
});

test('a budget of nothing lets nothing through', async () => {
  const got = await ask(stage.issue(new Budget({ tokensMax: 0 })), 'chat');
  expect([got.status, stage.provider.served()]).toEqual([402, []]);
});

import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { afterEach, describe, expect, onTestFinished, test } from 'vitest';
import { Budget } from '../../src/agents/proxy/budget.js';
import { ask, bodyOf, KEY, PRICES, Stage, send, until } from './stage.js';

let stage: Stage;
afterEach(() => stage.close());

/** Deltas of 25 tokens, for as long as somebody listens. */
const ENDLESS = { text: 'word '.repeat(40_000), delta_chars: 100, delta_delay_ms: 1 };

async function stageWith(answer: (socket: Socket) => void): Promise<Stage> {
  const open = new Set<Socket>();
  const server = createServer((socket) => {
    open.add(socket.on('error', () => {}));
    socket.once('data', () => answer(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    for (const socket of open) socket.destroy();
    server.close();
  });
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
  return Stage.step({ text: 'x' }, { key: { baseUrl, login: { mode: 'key', key: KEY, header: 'authorization' } } });
}

function repeatedly(socket: Socket, text: () => string): void {
  const timer = setInterval(() => socket.write(text()), 1);
  socket.once('close', () => clearInterval(timer));
}

describe('a provider', () => {
  test.each<[string, (socket: Socket) => void]>([
    ['answers with the status 0', (socket) => socket.end('HTTP/1.1 000 Odd\r\ncontent-length: 2\r\n\r\n{}')],
    ['answers with the status 42', (socket) => socket.end('HTTP/1.1 042 Odd\r\ncontent-length: 2\r\n\r\n{}')],
    ['changes the protocol', (socket) => socket.write('HTTP/1.1 101 x\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n')],
    ['has headers of 1 MB', (socket) => socket.write(`HTTP/1.1 200 OK\r\nx: ${'a'.repeat(1_000_000)}\r\n\r\n`)],
    [
      'has headers without end',
      (socket) => {
        socket.write('HTTP/1.1 200 OK\r\n');
        repeatedly(socket, () => `x-${Math.random()}: ${'a'.repeat(1_000)}\r\n`);
      },
    ],
    ['speaks something else', (socket) => socket.end('SSH-2.0-x\r\n')],
  ])('that %s has failed, and nothing else has', async (_how, answer) => {
    stage = await stageWith(answer);
    expect(await ask(stage.issue(), 'responses')).toMatchObject({ status: 502, whole: true });
    expect(stage.failures).toMatchObject([['key', { kind: 'network' }]]);
  });

  test('that says no without end is heard for a while', async () => {
    stage = await stageWith((socket) => {
      socket.write('HTTP/1.1 401 No\r\n\r\n');
      repeatedly(socket, () => 'x'.repeat(10_000));
    });
    expect(await ask(stage.issue(), 'responses')).toMatchObject({ status: 401, whole: true });
  });
});

describe('an agent', () => {
  test('that asks again on one connection and leaves has let all its providers go', async () => {
    stage = await Stage.step(ENDLESS);
    const { baseUrl, token } = stage.issue();
    const body = bodyOf('responses');
    const { port, pathname } = new URL(`${baseUrl}/v1/responses`);
    const head = `POST ${pathname} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${token}\r\ncontent-length: ${body.length}`;
    const socket = connect(Number(port), '127.0.0.1');
    socket.write(`${head}\r\n\r\n${body}`.repeat(3));
    await until(() => (stage.meter.usageOf(token)?.outputTokens ?? 0) > 100 && stage.provider.served().length === 3);
    socket.destroy();
    await until(() => stage.provider.served().every(({ status }) => status === 200));
    expect(stage.provider.served().map(({ complete }) => complete)).toEqual([false, false, false]);
  });

  test('that asks for ever more at once keeps nobody else from asking', async () => {
    stage = await Stage.open({
      turns: [
        {
          when: { prompt: 'hang' },
          steps: [{ text: 'never whole', delta_chars: 4, fault: { kind: 'hang', after_deltas: 1 } }],
        },
        { steps: [{ text: 'x' }] },
      ],
    });
    const [greedy, other] = [stage.issue(), stage.issue({}, { handoff: 'h2' })];
    const asked = Array.from({ length: 300 }, () =>
      ask(greedy, 'responses', { prompt: 'hang' }).catch(() => undefined),
    );
    const refused = await Promise.race(asked);
    expect(refused).toMatchObject({ status: 503, headers: { 'x-should-retry': 'true' } });
    expect(refused?.text).toContain('baton_requests_too_many');
    await until(() => stage.provider.served().length === 64);
    expect(await ask(other, 'responses', { stream: false })).toMatchObject({ status: 200, whole: true });
    stage.meter.revoke(greedy.token);
    await Promise.all(asked);
    expect(stage.provider.served().length).toBe(65);
  });

  test('that leaves before a model without a price has said its name is stopped all the same', async () => {
    stage = await Stage.step({ text: 'x', delay_ms: 60_000 }, { prices: { ...PRICES, models: {} } });
    const issued = stage.issue({ costMicroUsdMax: 1_000_000 });
    const leaving = ask(issued, 'responses', { stream: false });
    await until(() => stage.provider.served().length === 1);
    stage.meter.revoke(issued.token);
    await expect(leaving).rejects.toThrow();
    expect(stage.stops).toEqual([['h1', { kind: 'price-missing', model: 'scripted' }]]);
  });

  test('that names its model behind all it has to say pays its price without an answer', async () => {
    stage = await Stage.step({ text: 'x', delay_ms: 60_000 });
    const budget = new Budget({});
    const { baseUrl, token } = stage.issue(budget);
    const body = JSON.stringify({ input: 'word '.repeat(40_000), model: 'scripted' });
    const leaving = send(`${baseUrl}/v1/responses`, body, { headers: { authorization: `Bearer ${token}` } });
    await until(() => stage.provider.served().length === 1);
    stage.meter.revoke(token);
    await expect(leaving).rejects.toThrow();
    expect(budget.spent).toEqual({ tokens: expect.any(Number), costMicroUsd: budget.spent.tokens });
    expect(budget.spent.tokens).toBeGreaterThan(40_000);
  });
});

import { request as httpRequest, type IncomingMessage } from 'node:http';
import { afterEach, expect, test } from 'vitest';
import { TestClock } from '../engine/test-clock.js';
import { ask, bodyOf, PATHS, Stage, send, until, WIRES } from './stage.js';

let stage: Stage;
afterEach(() => stage.close());

test('fifty streams at once, each counted for itself', async () => {
  const turns = Array.from({ length: 50 }, (_, number) => ({
    when: { prompt: `number-${number}.` },
    steps: [{ text: 'word '.repeat(200), delta_delay_ms: 1, usage: { input: 5_000 + number, output: 1_000 + number } }],
  }));
  stage = await Stage.open({ turns });
  const issued = turns.map((_, number) => stage.issue({}, { handoff: `h${number}` }));
  const got = await Promise.all(
    issued.map((one, number) => ask(one, WIRES[number % 3] ?? 'chat', { prompt: `number-${number}.` })),
  );
  expect(got.every(({ status, whole }) => status === 200 && whole)).toBe(true);
  expect(issued.map(({ token }) => stage.meter.usageOf(token))).toEqual(
    turns.map((_, number) => expect.objectContaining({ inputTokens: 5_000 + number, outputTokens: 1_000 + number })),
  );
});

test('a slow reader does not fill the memory: the provider is made to wait', async () => {
  const text = 'x'.repeat(1_000_000);
  const calls = Array.from({ length: 40 }, () => ({ name: 'tool', arguments: { text } }));
  stage = await Stage.step({ text, tool_calls: calls, delta_chars: 10_000 });
  const issued = stage.issue();
  const answer = await headOf(issued.baseUrl, issued.token);
  await once(answer);
  answer.pause();
  const sent = await settled(() => stage.meter.usageOf(issued.token)?.outputTokens ?? 0);
  // Of ten million tokens only what fits between the sockets has gone by.
  expect(sent).toBeLessThan(3_000_000);
  answer.resume();
  await new Promise((resolve) => answer.on('end', resolve));
  expect(stage.meter.usageOf(issued.token)?.outputTokens).toBeGreaterThan(10_000_000);
});

test('a reader that has stopped for good is let go, and the provider is not blamed', async () => {
  const clock = new TestClock();
  const text = 'x'.repeat(20_000_000);
  stage = await Stage.step({ text, delta_chars: 10_000 }, { clock });
  const issued = stage.issue();
  const answer = await headOf(issued.baseUrl, issued.token);
  await once(answer);
  answer.pause();
  await settled(() => stage.told.length);
  await clock.advance(6 * 60_000);
  const broken = new Promise<void>((resolve) => answer.on('error', () => resolve()));
  await until(() => stage.provider.served()[0]?.status === 200);
  answer.resume();
  await broken;
  expect([stage.provider.served()[0]?.complete, stage.failures]).toEqual([false, []]);
});

function headOf(baseUrl: string, token: string): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${token}` };
    const request = httpRequest(`${baseUrl}${PATHS.chat}`, { method: 'POST', headers, agent: false });
    request.on('response', resolve).on('error', reject).end(bodyOf('chat'));
  });
}

function once(answer: IncomingMessage): Promise<void> {
  return new Promise((resolve) => answer.once('data', () => resolve()));
}

/** The value once it no longer changes. */
async function settled(look: () => number): Promise<number> {
  let [last, same] = [-1, 0];
  while (same < 20) {
    await new Promise((resolve) => setTimeout(resolve, 20));
    same = look() === last ? same + 1 : 0;
    last = look();
  }
  return last;
}

test('a client that goes away lets the provider go, and what was seen is counted', async () => {
  stage = await Stage.step({ text: 'word '.repeat(2_000), delta_delay_ms: 2 });
  const issued = stage.issue();
  await expect(ask(issued, 'responses', { onData: (_, leave) => leave() })).resolves.toMatchObject({ whole: false });
  await until(() => stage.provider.served()[0]?.status === 200);
  expect(stage.provider.served()[0]?.complete).toBe(false);
  expect(await settled(() => stage.told.length)).toBeLessThan(300);
  expect(stage.meter.usageOf(issued.token)).toMatchObject({ inputTokens: expect.any(Number), estimated: true });
  expect(stage.failures).toEqual([]);
});

test('a large request goes through, and one beyond the bound is refused', async () => {
  stage = await Stage.step({ text: 'x', fault: { kind: 'no-usage' } }, { bounds: { bodyBytesMax: 9_000_000 } });
  const issued = stage.issue();
  const prompt = 'word '.repeat(1_700_000);
  expect(await ask(issued, 'messages', { prompt })).toMatchObject({ status: 200, whole: true });
  expect(stage.provider.served()[0]?.requestBytes).toBeGreaterThan(8_500_000);
  const refused = await ask(issued, 'messages', { prompt: prompt + prompt }).catch(() => ({ status: 413, text: '' }));
  expect(refused.status).toBe(413);
  // Only the beginning of it has been sent on.
  expect(stage.meter.usageOf(issued.token)?.inputTokens).toBe(
    Math.ceil((stage.provider.served()[0]?.requestBytes ?? 0) / 4),
  );
});

test('images in a request are not taken for text', async () => {
  stage = await Stage.step({ text: 'x', fault: { kind: 'no-usage' } });
  const issued = stage.issue();
  const data = Buffer.alloc(300_000, 'pixels').toString('base64');
  const content = [
    { type: 'image', source: { type: 'base64', data } },
    { type: 'text', text: 'What is this?' },
  ];
  const headers = { authorization: `Bearer ${issued.token}` };
  await send(`${issued.baseUrl}/v1/messages`, JSON.stringify({ messages: [{ role: 'user', content }] }), { headers });
  const { inputTokens = 0 } = stage.meter.usageOf(issued.token) ?? {};
  expect(inputTokens).toBeGreaterThan(10);
  expect(inputTokens).toBeLessThan(3_000);
});

test('a header that is too long is refused', async () => {
  stage = await Stage.step({ text: 'x' });
  const issued = stage.issue();
  const got = await ask(issued, 'chat', { headers: { 'x-long': 'x'.repeat(80_000) } });
  expect([got.status, stage.meter.usageOf(issued.token)?.requests]).toEqual([431, 0]);
});

test('what goes through is byte for byte what the provider sent', async () => {
  stage = await Stage.step({
    text: 'ß好😀\u2028 "quoted" \\ data: x\n\n',
    reasoning: 'why',
    delta_chars: 2,
    write_bytes: 5,
  });
  for (const wire of WIRES) {
    for (const stream of [true, false]) {
      const direct = await send(`${stage.provider.url}${PATHS[wire]}`, bodyOf(wire, { stream }));
      const through = await ask(stage.issue(), wire, { stream });
      expect(withoutIds(through.text)).toBe(withoutIds(direct.text));
    }
  }
});

test('of a stream that is cut all goes through, to the last byte', async () => {
  stage = await Stage.step({ text: 'word '.repeat(20), fault: { kind: 'cut', after_deltas: 2 } });
  const direct = await send(`${stage.provider.url}${PATHS.messages}`, bodyOf('messages'));
  const through = await ask(stage.issue(), 'messages');
  expect(withoutIds(through.text)).toBe(withoutIds(direct.text));
  expect([direct.whole, direct.text.endsWith('\n')]).toEqual([false, false]);
});

function withoutIds(text: string): string {
  return text.replace(/[0-9a-f]{24}/g, 'id');
}

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { Budget } from '../../src/agents/proxy/budget.js';
import { ask, Stage, until, WIRES } from './stage.js';

let stage: Stage;
afterEach(() => stage.close());

/** 4,000 tokens in deltas of 25, one after the other, so that there is a middle to be stopped in. */
const LONG = { text: 'word '.repeat(3_200), delta_chars: 100, delta_delay_ms: 1 };

describe.each(WIRES)('a budget that is used up in the middle of a %s stream', (wire) => {
  test('ends the stream with an error of that wire, and the provider is let go', async () => {
    stage = await Stage.step(LONG);
    const issued = stage.issue({ tokensMax: 500 });
    const got = await ask(issued, wire);
    expect([got.status, got.whole]).toEqual([200, true]);
    expect(lastEvent(got.text)).toMatchObject(ERRORS[wire]);
    const usage = stage.meter.usageOf(issued.token);
    const spent = (usage?.inputTokens ?? 0) + (usage?.outputTokens ?? 0);
    expect(stage.stops).toEqual([['h1', { kind: 'tokens', spent: expect.any(Number), max: 500 }]]);
    expect(spent).toBeGreaterThanOrEqual(500);
    expect(spent).toBeLessThan(1_500);
    expect(usage).toMatchObject({ requests: 1, estimated: true });
    await until(() => stage.provider.served()[0]?.status === 200);
    expect(stage.provider.served()[0]?.complete).toBe(false);
  });

  test('refuses the next request before it reaches the provider', async () => {
    stage = await Stage.step({ text: 'x', usage: { input: 400, output: 100 } });
    const issued = stage.issue({ tokensMax: 500 });
    expect(await ask(issued, wire, { stream: false })).toMatchObject({ status: 200, whole: true });
    expect(stage.stops).toEqual([['h1', { kind: 'tokens', spent: 500, max: 500 }]]);
    const got = await ask(issued, wire, { stream: false });
    expect(got).toMatchObject({ status: 402, headers: { 'x-should-retry': 'false' } });
    expect(got.text).toContain('baton_budget_exceeded');
    expect(stage.provider.served().length).toBe(1);
    expect(stage.stops.length).toBe(1);
  });
});

test.each(WIRES)(
  'a %s provider that sends as fast as it can is stopped behind the crossing event too',
  async (wire) => {
    const deltaTokens = 25;
    stage = await Stage.step({ ...LONG, delta_chars: 4 * deltaTokens, delta_delay_ms: 0 });
    const budget = new Budget({ tokensMax: 500 });
    const got = await ask(stage.issue(budget), wire);
    expect(lastEvent(got.text)).toMatchObject(ERRORS[wire]);
    expect(budget.spent.tokens).toBeGreaterThanOrEqual(500);
    expect(budget.spent.tokens).toBeLessThanOrEqual(500 + deltaTokens);
  },
);

const ERRORS = {
  responses: {
    type: 'response.failed',
    response: { status: 'failed', error: { code: 'insufficient_quota', type: 'baton_budget_exceeded' } },
  },
  chat: { error: { code: 'insufficient_quota', type: 'baton_budget_exceeded' } },
  messages: { type: 'error', error: { type: 'billing_error', code: 'baton_budget_exceeded' } },
};

function lastEvent(text: string): unknown {
  return JSON.parse(text.trimEnd().split('\ndata: ').at(-1) ?? '');
}

test('money stops too, and what was spent before counts', async () => {
  stage = await Stage.step(LONG);
  const budget = new Budget({ costMicroUsdMax: 100_000, tokensMax: 1_000_000 }, { tokens: 7, costMicroUsd: 98_000 });
  await ask(stage.issue(budget), 'responses');
  expect(stage.stops).toEqual([
    ['h1', { kind: 'cost', spentMicroUsd: budget.spent.costMicroUsd, maxMicroUsd: 100_000 }],
  ]);
  expect(budget.spent.costMicroUsd).toBeLessThan(110_000);
});

test.each(WIRES)('a %s stream that is whole when the budget is used up reaches the agent as it is', async (wire) => {
  // The figures come in a piece of their own, before the last event.
  stage = await Stage.step({ text: 'all of it', usage: { input: 100, output: 5_000 }, write_bytes: 40 });
  const got = await ask(stage.issue({ tokensMax: 500 }), wire);
  expect(got.text).toMatch(/response.completed|\[DONE\]|message_stop/);
  expect(got.text).not.toContain('baton_');
  expect(stage.stops.map(([handoff]) => handoff)).toEqual(['h1']);
});

/** A provider that sends this one event, and what follows it in the same piece. */
async function plainProvider(after: string, promised: boolean): Promise<Stage> {
  const event = `data: ${JSON.stringify({ choices: [{ delta: { content: 'word '.repeat(500) } }] })}\n\n${after}`;
  const provider = createServer((_request, response) => {
    const length = promised ? { 'content-length': event.length * 2 } : {};
    response.writeHead(200, { 'content-type': 'text/event-stream', ...length });
    if (promised) response.write(event);
    else response.end(event);
  });
  await new Promise<void>((resolve) => provider.listen(0, '127.0.0.1', resolve));
  provider.unref();
  const baseUrl = `http://127.0.0.1:${(provider.address() as AddressInfo).port}`;
  return Stage.step({}, { key: { baseUrl, login: { mode: 'own' } } });
}

test('the error has room also behind a stream of a promised length', async () => {
  stage = await plainProvider('', true);
  const got = await ask(stage.issue({ tokensMax: 200 }), 'chat');
  expect(got.whole).toBe(true);
  expect(lastEvent(got.text)).toMatchObject(ERRORS.chat);
});

test('a stream without figures is whole with its last word', async () => {
  stage = await plainProvider('data: [DONE]\n\n', false);
  const got = await ask(stage.issue({ tokensMax: 200 }), 'chat');
  expect([got.text.endsWith('data: [DONE]\n\n'), stage.stops.length]).toEqual([true, 1]);
});

test('who waits for a provider is stopped too, when somebody else uses the budget up', async () => {
  stage = await Stage.open({
    turns: [
      { when: { prompt: 'wait' }, steps: [{ text: 'one two', fault: { kind: 'hang', after_deltas: 0 } }] },
      { steps: [{ ...LONG, delta_delay_ms: 10 }] },
    ],
  });
  const budget = new Budget({ tokensMax: 1_000 });
  const spending = ask(stage.issue(budget, { handoff: 'spends' }), 'messages');
  await until(() => stage.told.some(([handoff]) => handoff === 'spends'));
  const waiting = ask(stage.issue(budget, { handoff: 'waits' }), 'messages', { prompt: 'wait' });
  await spending;
  expect(lastEvent((await waiting).text)).toMatchObject(ERRORS.messages);
  expect(stage.stops.map(([handoff]) => handoff).sort()).toEqual(['spends', 'waits']);
});

test('children spend from the budget of their parent, and all are stopped', async () => {
  stage = await Stage.step({ ...LONG, delta_delay_ms: 3 });
  const budget = new Budget({ tokensMax: 1_500 });
  const children = ['parent', 'child-1', 'child-2'].map((handoff) => stage.issue(budget, { handoff }));
  const got = await Promise.all(children.map((issued) => ask(issued, 'messages')));
  expect(got.map(({ text }) => text.includes('baton_budget_exceeded'))).toEqual([true, true, true]);
  expect(stage.stops.map(([handoff]) => handoff).sort()).toEqual(['child-1', 'child-2', 'parent']);
  const sums = children.map(({ token }) => stage.meter.usageOf(token));
  const tokens = sums.reduce((sum, usage) => sum + (usage?.inputTokens ?? 0) + (usage?.outputTokens ?? 0), 0);
  expect(budget.spent.tokens).toBe(tokens);
  expect(tokens).toBeLessThan(3_000);
  expect((await ask(stage.issue(budget, { handoff: 'late' }), 'messages')).status).toBe(402);
});

describe('a model without a price', () => {
  const dear = { version: 1, date: '2026-01-01', models: {} };

  test('is said; its tokens are counted', async () => {
    stage = await Stage.step({ text: 'x', usage: { input: 40, output: 10 } }, { prices: dear });
    const { token, ...rest } = stage.issue({ costMicroUsdMax: 5, tokensMax: 1_000 });
    expect((await ask({ token, ...rest }, 'chat')).whole).toBe(true);
    expect(stage.meter.usageOf(token)).toMatchObject({
      inputTokens: 40,
      outputTokens: 10,
      costMicroUsd: 0,
      unpriced: ['scripted'],
      estimated: false,
    });
    expect(stage.stops).toEqual([]);
  });

  test.each(WIRES)('is stopped where money is the only limit: %s', async (wire) => {
    stage = await Stage.step(LONG, { prices: dear });
    const issued = stage.issue({ costMicroUsdMax: 5_000_000 });
    expect((await ask(issued, wire)).text).toContain('baton_price_missing');
    expect((await ask(issued, wire)).status).toBe(402);
    expect(stage.provider.served().length).toBe(1);
    expect(stage.stops).toEqual([['h1', { kind: 'price-missing', model: 'scripted' }]]);
  });

  test('is told after an answer in one piece', async () => {
    stage = await Stage.step({ text: 'x' }, { prices: dear });
    expect((await ask(stage.issue({ costMicroUsdMax: 5_000_000 }), 'chat', { stream: false })).whole).toBe(true);
    expect(stage.stops).toEqual([['h1', { kind: 'price-missing', model: 'scripted' }]]);
  });
});

test('what an agent has seen was told before: a crash loses no more than one piece', async () => {
  stage = await Stage.step({ ...LONG, delta_delay_ms: 2 });
  const issued = stage.issue();
  let seen = '';
  let late = 0;
  await ask(issued, 'chat', {
    onData: (chunk) => {
      seen += chunk;
      const words = [...seen.matchAll(/"content":"([a-z ]*)"/g)].map(([, text = '']) => text).join('');
      if ((stage.told.at(-1)?.[1].outputTokens ?? 0) * 4 < words.length) late += 1;
    },
  });
  expect(late).toBe(0);
  const outputs = stage.told.map(([, { outputTokens }]) => outputTokens);
  expect(new Set(outputs).size).toBeGreaterThan(20);
  expect(stage.told.at(-1)?.[1]).toEqual(stage.meter.usageOf(issued.token));
  expect(stage.told.at(-1)?.[1]).toMatchObject({ outputTokens: 4_000, estimated: false });
});

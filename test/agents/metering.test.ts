import { describe, expect, onTestFinished, test } from 'vitest';
import type { Attempt, Metering, Need } from '../../src/agents/metering/metering.js';
import type { Clock } from '../../src/engine/ports.js';
import { nodeClock } from '../../src/system/node-clock.js';
import { startModelServer } from '../../src/testing/index.js';
import { PRICES, testMetering } from './test-metering.js';

const OF: Attempt = { run: 'run-1', handoff: 'h1', attempt: 1 };
const NEEDS: readonly Need[] = [{ provider: 'openai' }];
const ANSWER = {
  type: 'answered',
  text: 'Done.',
  usage: { inputTokens: 0, outputTokens: 0, costMicroUsd: 0 },
} as const;

function ask(metering: Metering, needs = NEEDS) {
  return metering.during(OF, needs, new AbortController().signal, async () => ANSWER);
}

test('prices are read once, and only for who needs a provider', async () => {
  let read = 0;
  const prices = async () => {
    read += 1;
    return PRICES;
  };
  const metering = testMetering({ environment: { OPENAI_API_KEY: 'sk-x' }, prices });
  onTestFinished(() => metering.close());
  await ask(metering, []);
  expect(read).toBe(0);
  await Promise.all([ask(metering), ask(metering)]);
  await ask(metering);
  expect(read).toBe(1);
});

test('prices that cannot be read fail the ask, and are read again for the next', async () => {
  const files = [Promise.reject(new Error('damaged')), Promise.resolve(PRICES)];
  for (const file of files) file.catch(() => {});
  const limits: object[] = [];
  const metering = testMetering({
    environment: { OPENAI_API_KEY: 'sk-x' },
    prices: () => files.shift() ?? Promise.reject(new Error('asked too often')),
    budgetOf: async () => {
      limits.push({});
      return { limits: {}, spent: { tokens: 0, costMicroUsd: 0 } };
    },
  });
  await expect(ask(metering)).rejects.toThrow('damaged');
  expect(limits, 'nobody was let in').toEqual([]);
  expect((await ask(metering)).type).toBe('answered');
  await metering.close();
});

test('closing does not fail because opening did', async () => {
  const metering = testMetering({
    environment: { OPENAI_API_KEY: 'sk-x' },
    prices: () => Promise.reject(new Error('damaged')),
  });
  const asked = ask(metering);
  const refused = expect(asked).rejects.toThrow('damaged');
  await Promise.resolve();
  await metering.close();
  await refused;
  await metering.close();
});

test('where money is limited, a run asks a model without a price once by its name', async () => {
  const model = await startModelServer({ turns: [{ steps: [{ text: 'Done.' }] }] });
  onTestFinished(() => model.close());
  let limits: object = { costMicroUsdMax: 1 };
  const metering = testMetering({
    environment: { OPENAI_API_KEY: 'sk-x' },
    settings: async () => ({ openai: { base_url: `${model.url}/v1` } }),
    prices: async () => ({ ...PRICES, models: {} }),
    budgetOf: async () => ({ limits, spent: { tokens: 0, costMicroUsd: 0 } }),
  });
  onTestFinished(() => metering.close());
  const once = (run: string, name = 'mine') => {
    return metering.during({ ...OF, run }, NEEDS, new AbortController().signal, async ({ ways: [way], whyNot }) => {
      const refused = whyNot(name);
      if (refused) return refused;
      const headers = { authorization: `Bearer ${way?.token}`, 'content-type': 'application/json' };
      const body = JSON.stringify({ model: 'scripted', input: 'Work.' });
      await (await fetch(`${way?.baseUrl}/responses`, { method: 'POST', headers, body })).text();
      return ANSWER;
    });
  };
  expect(await once('a')).toMatchObject({ type: 'answered' });
  const refused = { type: 'failed', failure: 'refused', reason: expect.stringContaining('what scripted costs') };
  expect(await once('a')).toMatchObject(refused);
  expect(model.served()).toHaveLength(1);
  expect(await once('b'), 'another run').toMatchObject({ type: 'answered' });
  expect(await once('a', 'other'), 'another model').toMatchObject({ type: 'answered' });
  limits = { costMicroUsdMax: 1, tokensMax: 1_000 };
  expect(await once('a')).toMatchObject({ type: 'answered' });
});

describe('an agent whose provider asks it to wait', () => {
  const fault = { kind: 'status', status: 429, retry_after_s: 3_600 } as const;
  const soon = { ...fault, retry_after_s: 2 };

  async function asking(...prompts: string[]): Promise<{ countdowns: number; ended: boolean }> {
    const model = await startModelServer({
      turns: [
        { when: { prompt: 'long' }, steps: [{ fault }] },
        { when: { prompt: 'soon' }, steps: [{ fault: soon }] },
        { steps: [{ text: 'Here I am.' }] },
      ],
    });
    const running = new Set<() => void>();
    const clock: Clock = {
      ...nodeClock,
      after(delayMs, call) {
        if (delayMs !== 5_000) return nodeClock.after(delayMs, call);
        running.add(call);
        return () => running.delete(call);
      },
    };
    const settings = async () => ({ openai: { base_url: `${model.url}/v1` } });
    const metering = testMetering({ environment: { OPENAI_API_KEY: 'sk-x' }, settings, clock });
    onTestFinished(async () => void (await Promise.all([metering.close(), model.close()])));
    const seen = { countdowns: 0, ended: false };
    await metering.during(OF, NEEDS, new AbortController().signal, async ({ ways: [way], signal }) => {
      const headers = { authorization: `Bearer ${way?.token}`, 'content-type': 'application/json' };
      for (const input of prompts) {
        const body = JSON.stringify({ model: 'scripted', input });
        await (await fetch(`${way?.baseUrl}/responses`, { method: 'POST', headers, body })).text();
      }
      seen.countdowns = running.size;
      for (const call of [...running]) call();
      seen.ended = signal.aborted;
      return ANSWER;
    });
    expect(running.size, 'nothing is left running').toBe(0);
    return seen;
  }

  test('for long is ended soon', async () => {
    expect(await asking('long')).toEqual({ countdowns: 1, ended: true });
  });

  test('not for long may wait', async () => {
    expect(await asking('soon')).toEqual({ countdowns: 0, ended: false });
  });

  test('and that gets an answer otherwise goes on', async () => {
    expect(await asking('long', 'another')).toEqual({ countdowns: 0, ended: false });
  });
});

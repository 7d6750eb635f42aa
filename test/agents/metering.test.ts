import { expect, onTestFinished, test } from 'vitest';
import type { Attempt, Metering, Need } from '../../src/agents/metering/metering.js';
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

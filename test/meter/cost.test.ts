import { afterEach, expect, test } from 'vitest';
import { ask, Stage, WIRES } from './stage.js';

let stage: Stage;
afterEach(() => stage.close());

const PRICES = {
  version: 1,
  date: '2026-01-01',
  models: {
    scripted: { input: 10_000_000, cached_input: 1_000_000, cache_write: 12_500_000, output: 50_000_000 },
  },
};

test.each(WIRES.flatMap((wire) => [true, false].map((stream) => [wire, stream] as const)))(
  '%s, streamed %s: a write to the cache costs what a write does',
  async (wire, stream) => {
    const usage = { input: 1_000, cached_input: 600, cache_write: 200, output: 10 };
    stage = await Stage.step({ text: 'Done.', usage }, { prices: PRICES });
    const issued = stage.issue();
    await ask(issued, wire, { stream });
    expect(stage.meter.usageOf(issued.token)).toMatchObject({
      inputTokens: 1_000,
      cachedInputTokens: 600,
      cacheWriteTokens: 200,
      costMicroUsd: 200 * 10 + 600 + 200 * 12.5 + 10 * 50,
      estimated: false,
      models: [
        { model: 'scripted', inputTokens: 1_000, outputTokens: 10, costMicroUsd: 200 * 10 + 600 + 200 * 12.5 + 500 },
      ],
    });
  },
);

import { Metering, type MeteringOptions } from '../../src/agents/metering/metering.js';
import { NOTHING_SPENT } from '../../src/core/kernel/budget.js';
import { createScrub } from '../../src/engine/scrub.js';
import { nodeClock } from '../../src/system/node-clock.js';

/** One micro-dollar for a token of input, two for one of output. */
export const PRICES = {
  version: 1,
  date: '2026-11-01',
  models: { scripted: { input: 1_000_000, cached_input: 0, output: 2_000_000 } },
};

/** Without limits, and keeping nothing, unless told otherwise. */
export function testMetering(options: Partial<MeteringOptions> = {}): Metering {
  return new Metering({
    environment: {},
    settings: async () => ({}),
    clock: nodeClock,
    scrub: createScrub([]),
    prices: async () => PRICES,
    budgetOf: async () => ({ limits: {}, spent: NOTHING_SPENT }),
    keep: () => {},
    ...options,
  });
}

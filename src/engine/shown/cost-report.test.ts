import { expect, test } from 'vitest';
import { costReport } from './cost-report.js';

test('sums of money are dollars and whole micro-dollars, not what floating point makes of them', async () => {
  const usage = (costMicroUsd: number) => ({ inputTokens: 1, outputTokens: 1, costMicroUsd });
  const attempts = [1_100, 2_200, 3_167].map((micro) => ({
    ...{ atMs: 0, run: 'j', agent: 'a', project: 'p', kind: 'job', kept: false },
    usage: usage(micro),
  }));
  const spendings = { all: async () => attempts } as never;
  expect(await costReport(spendings, 'agent', 0)).toMatchObject([{ cost_usd: 0.006467, wasted_usd: 0.006467 }]);
});

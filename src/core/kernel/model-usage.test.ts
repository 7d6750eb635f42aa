import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { addUsage, NO_USAGE, type Usage } from './effect.js';
import { addModels, byModel, type ModelUsage } from './model-usage.js';

const figures = { inputTokens: fc.nat(1_000), outputTokens: fc.nat(1_000), costMicroUsd: fc.nat(1_000) };
const anyPart: fc.Arbitrary<ModelUsage> = fc.record({ model: fc.constantFrom('a', 'b', '__proto__'), ...figures });
const anyUsage: fc.Arbitrary<Usage> = fc.record({ ...figures, models: fc.array(anyPart, { maxLength: 4 }) });

const costOf = (parts: readonly { costMicroUsd: number }[]): number =>
  parts.reduce((sum, { costMicroUsd }) => sum + costMicroUsd, 0);

describe('what models have used', () => {
  test('adds up to the whole, whatever is named', () => {
    fc.assert(
      fc.property(fc.array(anyUsage), (usages) => {
        const whole = usages.reduce(addUsage, NO_USAGE);
        expect(costOf(byModel(whole))).toBe(whole.costMicroUsd);
      }),
    );
  });

  test('does not depend on the order in which it is added', () => {
    fc.assert(
      fc.property(fc.array(anyPart), (parts) => {
        const sorted = (list: readonly ModelUsage[]) =>
          [...list].sort((one, other) => (one.model < other.model ? -1 : 1));
        expect(sorted(addModels(parts.slice(0, 2), parts.slice(2)))).toEqual(
          sorted(addModels([...parts].reverse(), [])),
        );
      }),
    );
  });

  test('is unknown where nobody has said', () => {
    expect(byModel({ inputTokens: 5, outputTokens: 1, costMicroUsd: 9 })).toEqual([
      { model: 'unknown', inputTokens: 5, outputTokens: 1, costMicroUsd: 9 },
    ]);
  });

  test('is bounded: names beyond the twentieth count as unknown', () => {
    const models = Array.from({ length: 30 }, (_, index) => ({
      ...{ model: `m${index}`.padEnd(300, '.'), inputTokens: 1, outputTokens: 0, costMicroUsd: 0 },
    }));
    const parts = byModel(addUsage(NO_USAGE, { inputTokens: 30, outputTokens: 0, costMicroUsd: 0, models }));
    expect([parts.length, parts.every(({ model }) => model.length <= 100)]).toEqual([20, true]);
  });
});

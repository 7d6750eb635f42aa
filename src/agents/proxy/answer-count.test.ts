import { expect, test } from 'vitest';
import { AnswerCount, type Reported } from './answer-count.js';

function counted(reported: Reported, { text = 'x'.repeat(400), requestBytes = 4_000 } = {}) {
  const count = new AnswerCount();
  count.requestBytes = requestBytes;
  count.sees(text);
  count.reports(reported);
  const { tokens, estimated } = count.tokens();
  return [tokens.inputTokens, tokens.cachedInputTokens, tokens.outputTokens, tokens.reasoningTokens, estimated];
}

const TRUE_FIGURES = { inputTokens: 900, cachedInputTokens: 100, outputTokens: 90, reasoningTokens: 10 };

test('what the provider reports counts', () => {
  expect(counted(TRUE_FIGURES)).toEqual([900, 100, 90, 10, false]);
});

test('without a report the bytes count', () => {
  expect(counted({})).toEqual([1_000, 0, 100, 0, true]);
});

test('what a report leaves out is worked out from the bytes', () => {
  expect(counted({ inputTokens: 900, cachedInputTokens: 100 })).toEqual([900, 100, 100, 0, true]);
});

test.each<[string, Reported]>([
  ['negative', { outputTokens: -1 }],
  ['a text', { inputTokens: '900' }],
  ['a fraction', { outputTokens: 90.5 }],
  ['beyond all models', { inputTokens: 50_000_001 }],
  ['no number', { inputTokens: Number.NaN }],
  ['more from the cache than there is', { cachedInputTokens: 901 }],
  ['more reasoning than output', { reasoningTokens: 91 }],
  ['nothing for a long text', { outputTokens: 0, reasoningTokens: 0 }],
  ['nothing for a long request', { inputTokens: 0, cachedInputTokens: 0 }],
  ['too little for a long text', { outputTokens: 12 }],
])('a report with a figure that cannot be is not believed: %s', (_, lie) => {
  expect(counted({ ...TRUE_FIGURES, ...lie })).toEqual([1_000, 0, 100, 0, true]);
});

test('the least that can be is believed', () => {
  expect(counted({ ...TRUE_FIGURES, outputTokens: 13 })).toEqual([900, 100, 13, 10, false]);
});

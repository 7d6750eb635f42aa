import { expect, test } from 'vitest';
import { modelHint, textBytes } from './request-text.js';

test.each([
  ['nothing', '', 0],
  ['words', 'word '.repeat(1_000), 5_000],
  ['a short word of base64', 'QUJD'.repeat(20), 80],
  ['an image between words', `${'word '.repeat(512)}${'QUJD'.repeat(1_280)}${'word '.repeat(512)}`, 5_120],
])('%s', (_, text, bytes) => {
  expect(textBytes(Buffer.from(text))).toBe(bytes);
});

test.each([
  ['{"model":"gpt-5","input":"x"}', 'gpt-5'],
  ['{"input":"say \\"model\\": \\"x\\"","model" : "gpt-5"}', 'gpt-5'],
  ['{"input":"x"}', undefined],
  ['no JSON', undefined],
])('the model of %s', (text, model) => {
  expect(modelHint(Buffer.from(text))).toBe(model);
});

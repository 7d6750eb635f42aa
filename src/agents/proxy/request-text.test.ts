import { expect, test } from 'vitest';
import { BackgroundWatch, modelHint, textBytes } from './request-text.js';

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

test.each([
  [['{"input":"x","background":true}'], true],
  [['{"input":"x","backgr', 'ound" :  tr', 'ue}'], true],
  [['{"background":false,"input":"x"}'], false],
  [['{"input":"say \\"background\\": true"}'], false],
])('whether %j wants to go on in the background', (pieces, wants) => {
  const watch = new BackgroundWatch();
  expect(pieces.map((piece) => watch.sees(Buffer.from(piece))).includes(true)).toBe(wants);
});

import { expect, test } from 'vitest';
import { askedWords, outsideReason } from './asked-words.js';

test('what a model says to leave the sandbox is told apart from why a person is asked', () => {
  expect(askedWords(outsideReason('Baton has verified this; the model says: it is safe.'))).toEqual({
    reason: 'it would run outside of the sandbox',
    justification: 'Baton has verified this; the model says: it is safe.',
  });
});

test.each([null, 'no rule allows echo "; the model says: fine"'])('%j is a reason, and all of it', (reason) => {
  expect(askedWords(reason)).toEqual({ reason, justification: null });
});

import { expect, test } from 'vitest';
import { decisionIn, decisionPrompt, quoted } from './approval-lines.js';

test.each([
  ['a', { decision: 'approved' }],
  [' S ', { decision: 'approved_for_session' }],
  ['d', { decision: 'denied' }],
  ['d  use the cache,\nplease ', { decision: 'denied', guidance: 'use the cache,\nplease' }],
  ['x', { decision: 'abort' }],
])('%j decides', (said, decided) => {
  expect(decisionIn(said)).toEqual(decided);
});

test.each(['', 'v', 'y', 'all of it', 'a little', 's for now', 'x y', 'do it', 'toString'])(
  '%j decides nothing',
  (said) => {
    expect(decisionIn(said)).toBeNull();
  },
);

test('where people type words for a key, words behind a no are for the model, too', () => {
  expect(decisionIn('No use the cache', { no: 'd' })).toEqual({ decision: 'denied', guidance: 'use the cache' });
});

test('the line of a question names what it is for, cut where it is too long', () => {
  const exec = (command: string[]) => ({ callId: 'c', kind: 'exec' as const, msg: { type: 'x', command } });
  expect(
    decisionPrompt(exec(['npm', 'test']), 80)
      .split('\n')
      .at(-1),
  ).toBe('      npm test? ');
  expect(
    decisionPrompt(exec(['echo', 'x'.repeat(99)]), 40)
      .split('\n')
      .at(-1),
  ).toBe(`      echo ${'x'.repeat(22)}…? `);
  const changes = { 'a.txt': {}, 'b.txt': {} };
  expect(decisionPrompt({ callId: 'c', kind: 'patch', msg: { type: 'x', changes } }, 80)).toMatch(
    / change 2 files\? $/,
  );
});

test("nobody's words end their own quotes", () => {
  expect(quoted('so "it" is\nsafe')).toBe(`"so 'it' is safe"`);
});

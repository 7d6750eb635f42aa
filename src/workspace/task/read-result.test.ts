import { describe, expect, test } from 'vitest';
import { readResult } from './read-result.js';

const FIELDS = { task_id: 'T-1', status: 'done', notes: ['a', 'b'], deep: { yes: true, none: null, n: 1.5 } };
const YAML = 'task_id: T-1\nstatus: done\nnotes: [a, b]\ndeep:\n  yes: true\n  none: null\n  n: 1.5';

test.each([
  ['an object', JSON.stringify(FIELDS), []],
  ['front matter', `---\n${YAML}\n---\n\n# Done\n`, []],
  ['front matter with other line ends', `---\n${YAML}\n---\n`.replaceAll('\n', '\r\n'), []],
  ['front matter that ends the text', `\uFEFF\n---\n${YAML}\n---`, []],
  [
    'an object in a fenced block',
    `So:\n\`\`\`json\n${JSON.stringify(FIELDS)}\n\`\`\`\n`,
    [expect.stringContaining('fenced')],
  ],
])('%s is read', async (_, text, warnings) => {
  expect(await readResult(text)).toEqual({ value: FIELDS, warnings });
});

test('a time stays as it was written', async () => {
  const at = '2026-01-01T00:00:00.000Z';
  expect(await readResult(`---\nat: ${at}\n---\n`)).toEqual({ value: { at }, warnings: [] });
});

describe('front matter is refused', () => {
  const bomb = Array.from(
    { length: 9 },
    (_, level) => `l${level + 1}: &l${level + 1} [${Array(9).fill(`*l${level}`)}]`,
  );
  test.each([
    ['with aliases that multiply', `l0: &l0 x\n${bomb.join('\n')}`, /alias/i],
    ['with one alias', 'a: &a 1\nb: *a', /alias/i],
    ['with an unknown tag', 'a: !!js/function "x"', /cannot be read/],
    ['with a key twice', 'deep:\n  a: 1\n  a: 2', /twice/],
    ['with a key that reaches prototypes', '__proto__: 1', /front matter/],
    ['that is a list', '- a\n- b', /no fields/],
    ['that is empty', ' ', /no fields/],
    ['that is broken', 'a: [', /cannot be read/],
    ['that nests without end', `a: ${'['.repeat(50_000)}`, /front matter/],
    ['that is too large', `a: ${'x'.repeat(200_000)}`, /more than/],
    ['with a number nobody can keep', 'a: 12345678901234567890', /exactly/],
  ])('%s', async (_, front, reason) => {
    expect(await readResult(`---\n${front}\n---\n`)).toEqual({ reason: expect.stringMatching(reason) });
  });
});

test('a rule in prose is no front matter', async () => {
  expect(await readResult('I did it.\n\n---\nstatus: done\n---\n')).toEqual({
    reason: expect.stringContaining('no JSON object'),
  });
});

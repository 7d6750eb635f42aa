import { describe, expect, test } from 'vitest';
import { createScrub } from '../../../src/engine/scrub.js';

const scrub = createScrub(['nightingale', 'correct-horse', 'ends with \\', '00e9-abcdef', '"quoted"']);
const cleaned = (value: object) => JSON.parse(scrub.json(value).text);

describe('a value', () => {
  test('without a secret is serialised as it is', () => {
    const value = { title: 'line\nend "quote" \\ é 😀 \ud83d', list: [1, null, true, { a: '' }] };
    expect(scrub.json(value)).toEqual({ text: JSON.stringify(value), changed: false });
  });

  test('loses the secrets in its strings and keys, and nothing else', () => {
    expect(cleaned({ a: ['x correct-horse'], 'correct-horse': { n: 1, b: 'nightingale' }, c: null })).toEqual({
      a: ['x [secret]'],
      '[secret]': { n: 1, b: '[secret]' },
      c: null,
    });
  });

  test('loses a secret that was escaped before, three times over', () => {
    const escaped = (text: string) => JSON.stringify(text).slice(1, -1);
    expect(cleaned({ a: escaped(escaped(escaped('x "quoted"'))) })).toEqual({ a: 'x [secret]' });
  });

  test('is cleaned however deep it can be serialised', () => {
    let value: object = { a: 'correct-horse' };
    for (let depth = 0; depth < 2000; depth += 1) value = depth % 2 ? [value] : { value };
    expect(scrub.json(value).text).toContain('{"a":"[secret]"}');
  });

  test('keeps a text that only looks like a secret when it is serialised', () => {
    const value = { text: 'line\nightingale' };
    expect(scrub.json(value)).toEqual({ text: JSON.stringify(value), changed: false });
  });

  test('keeps its fields when a private key begins in one and ends in another', () => {
    const value = { one: '-----BEGIN PRIVATE KEY-----', steps: 3, other: '-----END PRIVATE KEY-----' };
    expect(cleaned(value)).toEqual(value);
    expect(Object.keys(JSON.parse(scrub(JSON.stringify(value))))).toEqual(['one', 'steps', 'other']);
  });

  test('loses a private key that is cut in two', () => {
    const line = 'MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7VJTUt9Us8cKj\n';
    expect(cleaned({ one: `-----BEGIN PRIVATE KEY-----\n${line}${line}` })).toEqual({ one: '[secret]\n' });
  });

  test('keeps its keys apart when they become the same', () => {
    expect(cleaned({ '[secret]': 1, 'correct-horse': 2, nightingale: 3, '[secre~2': 4 })).toEqual({
      '[secret]': 1,
      '[secre~3': 2,
      '[secre~4': 3,
      '[secre~2': 4,
    });
  });

  test('keeps a key that means something to JavaScript', () => {
    const value = JSON.parse('{"__proto__":{"a":"correct-horse"}}');
    expect(scrub.json(value).text).toBe('{"__proto__":{"a":"[secret]"}}');
  });

  test('keeps the whole character behind a secret that ends in a backslash', () => {
    expect(cleaned({ a: 'ends with \\😀' })).toEqual({ a: '[secret]😀' });
  });

  test('has a secret of digits in a string replaced, but not a number, which would be no number any more', () => {
    expect(createScrub(['1234567890']).json({ a: '1234567890', n: 1234567890 }).text).toBe(
      '{"a":"[secret]","n":1234567890}',
    );
  });
});

describe('text that is JSON stays so when a secret', () => {
  test.each([
    ['begins like an escape', { text: 'line\nightingale' }, { text: 'line[secret]' }],
    ['begins inside the digits of an escape', '{"text":"caf\\u00e9-abcdef"}', { text: 'caf[secret]' }],
    ['stands behind a backslash', { text: 'C:\\correct-horse' }, { text: 'C:[secret]' }],
    ['ends in a backslash', { text: 'x ends with \\' }, { text: 'x [secret]' }],
    ['ends like an escape', { text: 'ends with "x"' }, { text: '[secret]x"' }],
    ['ends like an escape with digits', '{"text":"ends with \\u00e9x"}', { text: '[secret]x' }],
    ['begins and ends with a quote', { text: 'a "quoted" b' }, { text: 'a [secret] b' }],
  ])('%s', (_, value, expected) => {
    const text = typeof value === 'string' ? value : JSON.stringify(value);
    expect(JSON.parse(scrub(text))).toEqual(expected);
  });

  test('begins like an escape in JSON inside JSON', () => {
    const inner = JSON.stringify({ text: 'line\nightingale' });
    const text = scrub(JSON.stringify({ inner }));
    expect(JSON.parse(JSON.parse(text).inner)).toEqual({ text: 'line[secret]' });
  });
});

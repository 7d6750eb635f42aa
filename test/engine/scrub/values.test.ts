import { describe, expect, test } from 'vitest';
import { createScrub } from '../../../src/engine/scrub.js';

const SECRET = 'pa"ss\\wörd/42+x y<&>';
const bytes = Buffer.from(SECRET);
const json = (text: string) => JSON.stringify(text).slice(1, -1);
const ascii = (text: string) =>
  text.replace(/[^ -~]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
const lowerCase = (url: string) => url.replace(/%../g, (byte) => byte.toLowerCase());

describe('a secret known by value', () => {
  const scrub = createScrub([SECRET]);
  const SPELLINGS = {
    plain: SECRET,
    'in JSON': json(SECRET),
    'in JSON in JSON': json(json(SECRET)),
    'in JSON in JSON in JSON': json(json(json(SECRET))),
    'in JSON of Python': ascii(json(SECRET)),
    'in JSON of Python in JSON': json(ascii(json(SECRET))),
    'in JSON of PHP': ascii(json(SECRET).replaceAll('/', '\\/')),
    'in JSON of Go': json(SECRET).replaceAll('<', '\\u003c').replaceAll('&', '\\u0026').replaceAll('>', '\\u003e'),
    'in a URL': encodeURIComponent(SECRET),
    'in a URL in lower case': lowerCase(encodeURIComponent(SECRET)),
    'in a path of Python': encodeURIComponent(SECRET).replaceAll('%2F', '/'),
    'in a form': new URLSearchParams({ a: SECRET }).toString().slice(2),
    'in base64': bytes.toString('base64').replace(/=+$/, ''),
    'in base64 for URLs': bytes.toString('base64url'),
    'in hex': bytes.toString('hex'),
    'in upper-case hex': bytes.toString('hex').toUpperCase(),
  };

  test.each(Object.entries(SPELLINGS))('is replaced %s', (_, spelling) => {
    expect(scrub(`before ${spelling} after`)).toBe('before [secret] after');
  });

  test.each(['', 'a', 'ab', 'me:', 'user:'])('is replaced in the base64 of HTTP Basic behind "%s"', (before) => {
    for (const behind of ['', ':', ':x', ':xy']) {
      const text = Buffer.from(`${before}${SECRET}${behind}`).toString('base64');
      // A character is six bits: those that hold bits of the secret and of a neighbour go as well.
      const first = Math.floor((before.length * 8) / 6);
      const last = Math.ceil(((before.length + bytes.length) * 8) / 6);
      expect(scrub(`x ${text} x`)).toBe(`x ${text.slice(0, first)}[secret]${text.slice(last)} x`);
    }
  });

  test('is replaced wherever it stands', () => {
    expect(scrub(`${SECRET}${SECRET} and ${SECRET}`)).toBe('[secret][secret] and [secret]');
  });

  test('is replaced when the environment had a line end behind it', () => {
    expect(createScrub(['correct-horse\n'])('x correct-horse x')).toBe('x [secret] x');
  });

  test('is left alone when it is too short to be told from a word', () => {
    expect(createScrub(['short'])('a short text')).toBe('a short text');
  });

  test('is replaced whole when another one is a part of it', () => {
    expect(createScrub(['long-secret', 'long-secret-tail'])('x long-secret-tail x')).toBe('x [secret] x');
  });

  test('is replaced whole when another one overlaps it', () => {
    expect(createScrub(['one-two-three', 'three-four-five'])('x one-two-three-four-five x')).toBe('x [secret] x');
  });

  test('may begin or end with half a character, which is not looked for', () => {
    const scrubHalf = createScrub(['\ude00abc\ud83ddefgh\ud83d']);
    expect(scrubHalf('x \ude00abc\ud83ddefgh\ud83d x')).toBe('x \ude00[secret]\ud83d x');
    expect(scrubHalf.json(['😀abc\ud83ddefgh😀']).text).toBe('["😀[secret]😀"]');
  });

  test('is found among many', () => {
    const many = Array.from({ length: 500 }, (_, index) => `secret number ${index} of many`);
    const scrubMany = createScrub(many);
    for (const value of many) expect(scrubMany(`x ${value} x`)).toBe('x [secret] x');
  });
});

import { expect, test } from 'vitest';
import { createScrub } from '../../engine/scrub.js';
import { LiveWords } from './live-words.js';

const SECRET = 'hunter2-hunter2-hunter2';

function told(pieces: readonly string[], { end = true } = {}): string[] {
  const said: string[] = [];
  const words = new LiveWords(createScrub([SECRET]), (text) => said.push(text));
  for (const piece of pieces) words.add(piece);
  if (end) words.end();
  return said;
}

test('whole words go on at once, and the last one when it has ended', () => {
  expect(told(['The qu', 'ick brown', ' fox'])).toEqual(['The ', 'quick ', 'brown ', 'fox']);
  expect(told(['The quick'], { end: false })).toEqual(['The ']);
});

test('a secret in pieces of one character never goes out', () => {
  const text = `it is ${SECRET}, and Authorization: Bearer abcdefghij0123456789 and token= ghp_abcdefghijklmnopqrstuvwxyz01 ok`;
  const said = told([...text]).join('');
  expect(said).toBe(createScrub([SECRET])(text));
  expect(said).not.toMatch(/hunter2|abcdefghij/);
});

test('of a key in many lines nothing goes out', () => {
  const text = 'Here:\n-----BEGIN RSA PRIVATE KEY-----\nMIIEabc\nMIIEdef\n-----END RSA PRIVATE KEY-----\nok';
  expect(told([...text]).join('')).toBe('Here:\n');
});

test('a word that never ends goes on in parts, and no character is torn apart', () => {
  const text = '😀'.repeat(1_000);
  const said = told([text.slice(0, 301), text.slice(301)]);
  expect(said.join('')).toBe(text);
  expect(said.length).toBeGreaterThan(1);
  expect(said.some((piece) => /\p{Surrogate}/u.test(piece))).toBe(false);
});

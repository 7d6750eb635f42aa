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

test('a language without blanks goes on as it comes, and no character is torn apart', () => {
  expect(told(['日本', '語の文', '章、', '😀'], { end: false })).toEqual(['日本', '語の文', '章、', '😀']);
  expect(told(['設定はconf', 'igです。'], { end: false })).toEqual(['設定は', 'configです。']);
  const [high = '', low = ''] = '😀'.split('');
  expect(told(['良い', high, `${low}。`], { end: false })).toEqual(['良い', '😀。']);
});

test.each([
  ['in a language without blanks', '秘密の合言葉です'],
  ['of several words', 'correct horse battery staple'],
  ['with both', 'パスワード wird 長い'],
])('a known secret %s never goes out in halves', (_, secret) => {
  const text = `これは${secret}、つまり ${secret} です。${secret.slice(0, 4)}では ない`;
  const said: string[] = [];
  const words = new LiveWords(createScrub([secret]), (piece) => said.push(piece));
  for (const piece of text) words.add(piece);
  words.end();
  expect(said.join('')).toBe(createScrub([secret])(text));
  expect(said.length).toBeGreaterThan(5);
});

test('nor does a shape of a secret behind other letters, or a password of an address with such letters', () => {
  const text =
    '鍵はghp_abcdefghijklmnopqrstuvwxyz01です。https://anna:合言葉ab12@host.example/ へ http://例え.jp/道 も。';
  const said = told([...text]);
  expect(said.join('')).toBe(createScrub([SECRET])(text));
  expect(said.join('')).not.toMatch(/ghp_|合言葉/);
  expect(said).toContain('http://例');
});

test('a key of any length never goes out in halves; a word that never ends is told when it is stored', () => {
  const part = 'abcDEF0123456789'.repeat(30);
  const text = `It is eyJ${part}.${part}.${part} so`;
  expect(told([...text]).join('')).toBe(createScrub([SECRET])(text));
  expect(told(['It is ', ...'x'.repeat(20_000), ' so']).join('')).toBe('It is ');
});

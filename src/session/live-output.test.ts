import { expect, test } from 'vitest';
import { createScrub } from '../engine/scrub.js';
import { LiveOutput, newRoom } from './live-output.js';

const SECRET = 'hunter2-hunter2-hunter2';
const OF_LINES = 'first line of it\nsecond-line-of-it\nthird';
const JWT = `eyJ${'a'.repeat(600)}.${'b'.repeat(600)}.${'c'.repeat(600)}`;
const KEY = ['-----BEGIN PRIVATE KEY-----', ...Array(20).fill('MIIE'.repeat(16)), '-----END PRIVATE KEY-----'].join(
  '\n',
);

function told(text: string, { size, isEnded = true }: { size: number; isEnded?: boolean }): string[] {
  const said: string[] = [];
  const room = newRoom();
  const output = new LiveOutput({ say: (piece) => said.push(piece), scrub: createScrub([SECRET, OF_LINES]), room });
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += size) output.take(bytes.subarray(at, at + size));
  if (isEnded) output.end();
  return said;
}

test('whole lines go on at once, the rest at the end', () => {
  expect(told('one\ntwo\nthr', { size: 4, isEnded: false })).toEqual(['one\n', 'two\n']);
  expect(told('one\ntwo\nthr', { size: 4 })).toEqual(['one\n', 'two\n', 'thr']);
});

test.each([
  ['a known value in a line without blanks', `${'x'.repeat(9_000)}${SECRET}${'y'.repeat(9_000)}`],
  ['a known value of several lines', `before\n${OF_LINES}\nafter\n`],
  ['a token longer than a screen', `${'x,'.repeat(5_000)}${JWT}${',y'.repeat(5_000)}`],
  [
    'a header in a line without an end',
    `${'-'.repeat(9_000)} Authorization: Bearer abcdefghij0123456789${' z'.repeat(5_000)}`,
  ],
  ['a private key', `before\n${KEY}\nafter\n`],
])('%s is never streamed in halves', (_, text) => {
  const scrub = createScrub([SECRET, OF_LINES]);
  for (const size of [1, 100, 1_000, 64 * 1024]) expect(told(text, { size }).join('')).toBe(scrub(text));
});

test('a secret that does not end is not waited for for ever, and nothing of it is streamed', () => {
  const said = told(`before\nsk-${'a1'.repeat(200_000)}`, { size: 4_096 }).join('');
  expect(said).toBe('before\n');
});

test('who only names the marks of a key is streamed', () => {
  const text = 'grep: "-----BEGIN PRIVATE KEY-----"\nis looked for\nelsewhere\n';
  expect(told(text, { size: 10, isEnded: false }).join('')).toBe(text);
});

test('no half of a secret is left where the room ends', () => {
  const said = told(`${'x'.repeat(63)}\n`.repeat(4_095) + `${' '.repeat(50)}${SECRET}\n`, { size: 4_096 }).join('');
  expect(said).not.toContain('hunter2');
});

test('no character is torn apart', () => {
  const text = '😀'.repeat(20_000);
  const said = told(text, { size: 8_191 });
  expect(said.join('')).toBe(text);
  expect(said.some((piece) => /\p{Surrogate}/u.test(piece))).toBe(false);
});

import { describe, expect, test } from 'vitest';
import { createScrub } from '../../../src/engine/scrub.js';

const HOSTILE = [
  'sk-',
  'sk-ant-',
  '-sk-proj-sk-lf-',
  'gh',
  'ghp_',
  'xoxb',
  'AIza',
  'github_pat_',
  'eyJ',
  '-eyJ',
  '.eyJaaaaaaaaaa',
  ' eyJaaaaaaaaaaaaa',
  '-----BEGIN PRIVATE KEY-----',
  '-----BEGIN ',
  '-----BEGIN PRIVATE KEY-----\nMIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7VJTU',
  '-----BEGIN PRIVATE KEY-----\nA: b\nC: d\n\n\n',
  'nnnnnnnnnnnnnnnn',
  'Bearer ',
  'Authorization: Basic ',
  'Authorization: Bearer aaaaaaaaaaaa',
  '://:',
  '://a:b@',
  '://a:bbbbbbb@@@@@@',
  '@',
  '\\',
  '\\u00',
  'aaaaaaaa',
  'aaaaaaaa\\',
  'aaaaaaaaaaaa ',
  'secret-wort ',
];

/** One beginning and then nothing but what may go on, up to the end. */
const OPEN = ['-----BEGIN PRIVATE KEY-----', 'Bearer ', 'https://a:', 'sk-ant-', ' eyJ', 'Authorization: Basic '];

const scrub = createScrub(['aaaaaaaaaaaaaaaa', '\\\\\\\\\\\\\\\\', 'aaaaaaaa\\', 'secret-word', '\\u0000\\u0000\\u']);
const SHORT = 10_000;
const FACTOR = 100;

describe('a hundred times as much text does not take much more than a hundred times as long:', () => {
  const texts = [
    ...HOSTILE.map((part) => [part, (length: number) => part.repeat(Math.ceil(length / part.length))] as const),
    ...OPEN.map((begin) => [`${begin}a…`, (length: number) => begin + 'aB-'.repeat(length / 3)] as const),
    ...OPEN.map((begin) => [`${begin} …`, (length: number) => begin + ' '.repeat(length)] as const),
  ];

  test.each(texts)('%s', (_, textOf) => {
    const [short, long] = [textOf(SHORT), textOf(SHORT * FACTOR)];
    for (const work of [scrub, (text: string) => scrub.json({ text })]) expect(isLinear(work, short, long)).toBe(true);
    expect(scrub(long).length).toBeLessThanOrEqual(long.length);
  });
});

/** Quadratic would be thousands of times as long, always; the machine may be slow for a moment. */
function isLinear(work: (text: string) => void, short: string, long: string): boolean {
  // Below a millisecond it is noise that is measured.
  const isOnce = () =>
    time(() => work(long)) <
    5 *
      FACTOR *
      Math.max(
        1,
        time(() => work(short)),
      );
  return isOnce() || isOnce() || isOnce();
}

function time(work: () => void): number {
  const start = performance.now();
  work();
  return performance.now() - start;
}

test.each(OPEN)('thirty megabytes behind "%s" do not exhaust the stack', (begin) => {
  for (const part of ['a', 'aB1+', `${'aB1/'.repeat(16)}\n`]) {
    const text = begin + part.repeat(30_000_000 / part.length);
    expect(createScrub([])(text).length).toBeLessThanOrEqual(text.length);
  }
});

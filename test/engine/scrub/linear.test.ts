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
const SHORT = 100_000;
const FACTOR = 10;

describe('ten times as much text does not take much more than ten times as long:', () => {
  const texts = [
    ...HOSTILE.map((part) => [part, (length: number) => part.repeat(Math.ceil(length / part.length))] as const),
    ...OPEN.map((begin) => [`${begin}a…`, (length: number) => begin + 'aB-'.repeat(length / 3)] as const),
    ...OPEN.map((begin) => [`${begin} …`, (length: number) => begin + ' '.repeat(length)] as const),
  ];

  test.each(texts)('%s', (_, textOf) => {
    const [short, long] = [textOf(SHORT), textOf(SHORT * FACTOR)];
    for (const work of [scrub, (text: string) => scrub.json({ text })]) {
      // Quadratic would be a hundred times as long. Below a millisecond it is noise that is measured.
      const ratio =
        fastest(() => work(long)) /
        Math.max(
          1,
          fastest(() => work(short)),
        );
      expect(ratio).toBeLessThan(5 * FACTOR);
    }
    expect(scrub(long).length).toBeLessThanOrEqual(long.length);
  });
});

function fastest(work: () => void): number {
  const times = Array.from({ length: 2 }, () => {
    const start = performance.now();
    work();
    return performance.now() - start;
  });
  return Math.min(...times);
}

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { TestClock } from '../../../test/engine/test-clock.js';
import { NO_USAGE, type Usage } from '../../core/kernel/effect.js';
import { KeptUsage } from './kept-usage.js';
import { keepSpent, readSpent } from './spent-files.js';

const usage = (tokens: number): Usage => ({ inputTokens: tokens, outputTokens: 0, costMicroUsd: 0 });

test('is kept at once, then now and then, then at the end; tokens together', async () => {
  const clock = new TestClock();
  const kept: number[] = [];
  const sums = new KeptUsage(clock, ({ inputTokens }) => kept.push(inputTokens));
  const [one, other] = [{}, {}];
  sums.tell(one, usage(1));
  sums.tell(one, usage(2));
  sums.tell(other, usage(10));
  expect(kept).toEqual([1]);
  await clock.advance(1_000);
  expect(kept).toEqual([1, 12]);
  sums.tell(one, usage(3));
  sums.end();
  await clock.advance(1_000);
  expect(kept).toEqual([1, 12, 13]);
});

test('much is kept at once', () => {
  const kept: number[] = [];
  const sums = new KeptUsage(new TestClock(), ({ inputTokens }) => kept.push(inputTokens));
  const [one, other] = [{}, {}];
  for (const tokens of [1, 400, 501, 502]) sums.tell(one, usage(tokens));
  sums.tell(other, usage(500));
  expect(kept).toEqual([1, 502]);
  sums.tell(other, usage(501));
  expect(kept).toEqual([1, 502, 1_003]);
});

test('nothing is kept of who used nothing', () => {
  const kept: Usage[] = [];
  new KeptUsage(new TestClock(), (one) => kept.push(one)).end();
  expect(kept).toEqual([]);
});

test('is found again by its attempt alone; what cannot be is nothing', () => {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'baton-spent-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const of = { run: 'j', handoff: 'h1', attempt: 2 };
  keepSpent(folder, of, usage(7));
  expect(readSpent(folder, of)).toEqual(usage(7));
  expect(readSpent(folder, { ...of, attempt: 3 })).toEqual(NO_USAGE);
  for (const bad of ['', '{', 'null', '{"inputTokens":-1,"outputTokens":0,"costMicroUsd":0}', '{"inputTokens":1}']) {
    writeFileSync(path.join(folder, 'jobs', 'j', 'spent', 'h1.2.json'), bad);
    expect(readSpent(folder, of), bad).toEqual(NO_USAGE);
  }
});

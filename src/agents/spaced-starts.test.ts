import { expect, test } from 'vitest';
import { TestClock } from '../../test/engine/test-clock.js';
import { SpacedStarts } from './spaced-starts.js';

function setUp() {
  const clock = new TestClock();
  const starts = new SpacedStarts(clock);
  const begun: string[] = [];
  const begin = (name: string, login: string, signal = new AbortController().signal) => {
    void starts.turn(login, signal).then(() => begun.push(name));
  };
  return { clock, begin, begun };
}

test('those who use one login begin one after the other; others do not wait for them', async () => {
  const { clock, begin, begun } = setUp();
  begin('a', 'openai');
  begin('b', 'openai');
  begin('c', 'openai');
  begin('d', 'anthropic');
  await clock.advance(0);
  expect(begun).toEqual(['a', 'd']);
  await clock.advance(250);
  expect(begun).toEqual(['a', 'd', 'b']);
  await clock.advance(250);
  expect(begun).toEqual(['a', 'd', 'b', 'c']);
  await clock.advance(250);
  begin('late', 'openai');
  await clock.advance(0);
  expect(begun).toContain('late');
});

test('who is told to stop does not wait for its turn', async () => {
  const { clock, begin, begun } = setUp();
  const stop = new AbortController();
  begin('a', 'openai');
  begin('b', 'openai', stop.signal);
  stop.abort();
  await clock.advance(0);
  expect(begun).toEqual(['a', 'b']);
});

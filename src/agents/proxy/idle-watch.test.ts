import { expect, test } from 'vitest';
import { TestClock } from '../../../test/engine/test-clock.js';
import { IdleWatch } from './idle-watch.js';

function watched(idleMsMax: number) {
  const clock = new TestClock();
  const calls: number[] = [];
  return { clock, calls, watch: new IdleWatch(clock, idleMsMax, () => calls.push(clock.monotonicMs())) };
}

test('it calls once, when nothing has happened for so long', async () => {
  const { clock, calls } = watched(100);
  await clock.advance(500);
  expect(calls).toEqual([100]);
});

test('whatever happens puts it off', async () => {
  const { clock, calls, watch } = watched(100);
  for (let count = 0; count < 5; count += 1) {
    await clock.advance(60);
    watch.touch();
  }
  await clock.advance(500);
  expect(calls).toEqual([400]);
});

test('its patience can be changed, and it can be stopped', async () => {
  const { clock, calls, watch } = watched(100);
  await clock.advance(50);
  watch.allow(30);
  await clock.advance(29);
  expect(calls).toEqual([]);
  await clock.advance(1);
  watch.allow(10);
  watch.stop();
  await clock.advance(500);
  expect(calls).toEqual([80]);
});

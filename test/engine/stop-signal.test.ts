import { expect, test } from 'vitest';
import { Stop } from '../../src/engine/stop-signal.js';

test('whoever listens is called once when it is told to stop, unless they stopped listening', () => {
  const stop = new Stop();
  const called: string[] = [];
  const left = (): void => void called.push('left');
  stop.addEventListener('abort', () => called.push('one'));
  stop.addEventListener('abort', left);
  stop.addEventListener('abort', () => called.push('two'));
  stop.removeEventListener('abort', left);
  expect(stop.aborted).toBe(false);
  stop.abort();
  stop.abort();
  stop.addEventListener('abort', () => called.push('too late'));
  expect([stop.aborted, called]).toEqual([true, ['one', 'two']]);
});

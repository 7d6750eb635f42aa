import { expect, test } from 'vitest';
import { Running } from './running.js';

test('what began last and has not ended is what runs', () => {
  const running = new Running();
  running.begin('1', 'make');
  running.begin('2', 'npm i');
  expect(running.last).toBe('npm i');
  running.end('2');
  expect(running.last).toBe('make');
  running.end('1');
  expect(running.last).toBe(undefined);
});

test('who begins and never ends is remembered up to a bound', () => {
  const running = new Running();
  for (let id = 0; id <= 1_000; id += 1) running.begin(String(id), `deed ${id}`);
  for (let id = 1; id <= 1_000; id += 1) running.end(String(id));
  expect(running.last, 'the oldest was let go').toBe(undefined);
});

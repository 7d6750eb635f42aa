import { expect, test } from 'vitest';
import type { RefusedRequests } from '../../core/system/system-messages.js';
import { Refusals } from './refusals.js';

const refusal = (path: string) => ({ code: 'FORBIDDEN', method: 'GET', path, from: '127.0.0.1', by: null });

test('what could not be written is told with the next ones, and never grows beyond its bound', async () => {
  let fails = true;
  let told: readonly RefusedRequests[] = [];
  const engine = {
    async send(_run: string, command: object) {
      if (fails) throw new Error('the disk is full');
      told = (command as { refused: readonly RefusedRequests[] }).refused;
    },
  };
  const clock = { after: () => () => {}, nowMs: () => 0, monotonicMs: () => 0 };
  const refusals = new Refusals({ engine, clock } as never);
  for (let round = 0; round < 5; round += 1) {
    for (let path = 0; path < 100; path += 1) refusals.note(refusal(`/${path}`));
    await refusals.tell();
  }
  fails = false;
  await refusals.tell();
  expect(told).toHaveLength(51);
  expect(told.find(({ path }) => path === '/0')?.count).toBe(5);
  expect(told.reduce((all, { count }) => all + count, 0)).toBe(500);
});

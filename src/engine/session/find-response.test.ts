import { expect, test } from 'vitest';
import type { Machines } from '../machines.js';
import type { Clock, RunRow } from '../ports.js';
import { findResponse } from './find-response.js';

test('an unknown response is looked for in the newest sessions, and everybody else has a turn in between', async () => {
  let [loads, atOnce, most] = [0, 0, 0];
  const clock: Clock = {
    ...{ nowMs: () => 0, monotonicMs: () => 0 },
    after: (_, call) => {
      atOnce = 0;
      call();
      return () => {};
    },
  };
  const items = Array.from({ length: 100 }, (_, index) => ({ run: `s-${index}` }) as RunRow);
  const store = {
    runs: async () => ({ items, next: 'more' }),
    load: async () => {
      loads += 1;
      atOnce += 1;
      most = Math.max(most, atOnce);
      return undefined;
    },
  };
  expect(await findResponse({ store, clock }, {} as Machines, 'resp_of-nobody')).toBeUndefined();
  expect({ loads, most }).toEqual({ loads: 2_000, most: 10 });
});

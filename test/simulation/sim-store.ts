import { pause } from '../../src/engine/pause.js';
import type { EventStore } from '../../src/engine/ports.js';
import { override } from './override.js';
import type { Seeded } from './seeded.js';
import type { SimProcess } from './sim-process.js';
import type { Witness } from './witness.js';

const DEAF_LOOK_MS = 500;
const ECHO_MS = 50;
const STALLS = 0.02;
/** Just so long that it counts as silent: it goes on while others take its runs. */
const STALL_MS = 10_500;
const STALL_MORE_MS = 4_000;

type Onlookers = { witness: Witness; chance: Seeded; trouble: boolean };

/** A process's way to the store: commits are heard of twice or late, the feed is slow, and a witness looks on. */
export function watchedStore(store: EventStore, process: SimProcess, fleet: Onlookers): EventStore {
  const { witness, chance } = fleet;
  return override<EventStore>(store, {
    append: async (group) => {
      witness.acts(process, `writes ${group[0]?.run}`);
      // Stopped on the way: what it brings was decided before others took its runs.
      if (fleet.trouble && chance.chance(STALLS)) process.pauseFor(STALL_MS + chance.below(STALL_MORE_MS));
      const results = await store.append(group);
      group.forEach(({ run, owner, fence }, index) => {
        if (results[index]?.type === 'fenced') witness.wasFenced(process, run, fence);
        if (results[index]?.type === 'appended' && fence !== undefined) witness.wrote(process, run, fence);
        if (results[index]?.type === 'appended' && owner !== undefined) witness.took(process, run, 1);
      });
      return results;
    },
    claim: async (worker, which) => {
      witness.acts(process, 'claims');
      const claims = await store.claim(worker, which);
      for (const { run, epoch, previousOwner } of claims) witness.took(process, run, epoch, previousOwner);
      return claims;
    },
    feedHeads: async (after, limit) => {
      if (process.feedMs > 0) await pause(process.clock, chance.below(process.feedMs));
      return store.feedHeads(after, limit);
    },
    onCommit: (wake) =>
      store.onCommit((position) => {
        const tell = (): void => {
          if (process.hearing === 'deaf') process.clock.after(DEAF_LOOK_MS, tell);
          else wake(position);
        };
        tell();
        if (process.hearing === 'twice') process.clock.after(chance.below(ECHO_MS), tell);
      }),
  });
}

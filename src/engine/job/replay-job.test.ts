import fc from 'fast-check';
import { expect, test } from 'vitest';
import { PICKS, RandomLife, runs } from '../../../test/engine/random-life.js';
import type { JobEvent } from '../../core/job/job-messages.js';
import { historyOf } from '../projections/job-history.js';
import { replay } from './replay-history.js';
import { replayJob } from './replay-job.js';

const STATUSES = ['PENDING', 'RUNNING', 'REVIEWING', 'SUCCESS', 'INTERVENTION_REQUIRED', 'HALTED_TIME'] as const;

test('a job replays from its events as its history does, also up to an interaction and with a status edited', async () => {
  const ends = { clean: 0, mismatch: 0 };
  await fc.assert(
    fc.asyncProperty(PICKS, fc.nat(20), fc.nat(), async (picks, until, pick) => {
      const { story, body } = new RandomLife(picks);
      const at = story.events
        .map(({ type }, index) => (type === 'HandoffEnded' ? index : -1))
        .filter((one) => one >= 0);
      const status = STATUSES[pick % STATUSES.length];
      const edited = story.events.map((event, index) =>
        index === at[pick % at.length] ? ({ ...event, status } as JobEvent) : event,
      );
      for (const events of [story.events, edited]) {
        const wanted = await historyOf('x', events, { body });
        expect(await replayJob('x', events, { body })).toEqual(replay(wanted));
        expect(await replayJob('x', events, { body }, { until })).toEqual(replay(wanted, { until }));
        ends[replay(wanted).ok ? 'clean' : 'mismatch'] += 1;
      }
    }),
    runs(200),
  );
  expect(Math.min(ends.clean, ends.mismatch)).toBeGreaterThan(0);
});

import { expect, test } from 'vitest';
import { JobStory } from '../../../core/job/job-story.js';
import type { EventRow } from '../../ports.js';
import { JobTimeline } from './job-timeline.js';
import { jobView, ticksOf } from './job-view.js';

/** A store of one run that counts how many events were read. */
function storeOf(story: JobStory) {
  const rows = story.events.map(({ type, ...data }, index): EventRow => {
    const at = new Date(data.atMs).toISOString();
    const seq = index + 1;
    return {
      position: seq,
      run: 'j',
      seq,
      type,
      data: JSON.stringify(data),
      at,
      actor: 'anna',
      key: null,
      epoch: 1,
      hash: '',
    };
  });
  const counted = { rows, read: 0 };
  const events = async (_: string, after: number, limit: number) => {
    const page = counted.rows.slice(after, after + limit);
    counted.read += page.length;
    return page;
  };
  return { counted, events };
}

/** A life of so many handoffs that never rests. */
function longStory(handoffs: number): JobStory {
  const story = JobStory.active().prepared();
  while (story.live.handoffs < handoffs) {
    story.admitted().after(1_000).answers('COMPLETED');
    if (story.live.handoffs % 7 === 0) story.admitted().lost();
    story.admitted().after(500).answers('RETRY');
    story.tell({ type: 'Rerun' });
  }
  return story;
}

test('every moment is the job with the events up to it, and no more', async () => {
  const story = JobStory.active({ limits: { asks: 9 } }).prepared();
  story.admitted().after(60).fails('crash').woke().admitted().answers('COMPLETED', { commit: 'c1' });
  story.admitted().answers('RETRY').admitted().answers('COMPLETED', { commit: 'c2' }).admitted().answers('STUCK');
  const whole = new JobTimeline(storeOf(story), 'j');
  await whole.catchUp();
  for (let seq = 1; seq <= story.events.length; seq += 1) {
    const { counted, events } = storeOf(story);
    counted.rows.length = seq;
    const then = new JobTimeline({ events }, 'j');
    await then.catchUp();
    const moment = await whole.moment(seq);
    expect(moment).toEqual(then.head);
    expect(whole.rowsAt(moment, 0, 99)).toEqual(then.rows);
    const { events: _, ticks: __, ...view } = jobView('j', whole, moment);
    expect(jobView('j', then, then.head)).toMatchObject(view);
  }
  expect(whole.rows.map(({ verdict, commits }) => [verdict, commits])).toEqual([
    ['FAILED', null],
    ['COMPLETED', { from: 'ba5e', to: 'c1' }],
    ['RETRY', { from: 'c1', to: 'c0ffee' }],
    ['COMPLETED', { from: 'c0ffee', to: 'c2' }],
    ['STUCK', { from: 'c2', to: 'c0ffee' }],
  ]);
  expect(jobView('j', whole, whole.head)).toMatchObject({
    ...{ author: 'anna', status: 'INTERVENTION_REQUIRED', why: 'stuck', attempts: 5, points_taken: 2 },
    moves: expect.arrayContaining([{ from: 'RUNNING', to: 'REVIEWING', times: 2 }]),
  });
});

test('of a long life a moment far back costs a page, not the life', async () => {
  const story = longStory(600);
  const store = storeOf(story);
  const timeline = new JobTimeline(store, 'j');
  await timeline.catchUp();
  expect(store.counted.read).toBe(story.events.length);
  const before = store.counted.read;
  const moment = await timeline.moment(1_777);
  expect(moment.seq).toBe(1_777);
  expect(store.counted.read - before).toBeLessThan(500);
  expect(timeline.rowsAt(moment, 40, 90)).toHaveLength(50);
  await expect(timeline.moment(story.events.length + 1)).rejects.toThrow('there is no event');
});

test('ticks are one for each event until there are too many; then the worst of several is told', () => {
  expect(ticksOf('.h.x')).toEqual({ per: 1, marks: '.h.x' });
  expect(ticksOf(`${'.'.repeat(300)}h..x`)).toEqual({ per: 2, marks: `${'.'.repeat(150)}hx` });
});

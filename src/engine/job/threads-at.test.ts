import { expect, test } from 'vitest';
import { JobStory, reading } from '../../core/job/job-story.js';
import type { EventRow } from '../ports.js';
import { askedSince } from './asked-since.js';
import { threadsAt } from './threads-at.js';

const THEN = { run: 'origin', agent: 'worker', thread: 't0', untilMs: 5 };

/** What a store has of it. */
function storeOf({ events }: JobStory) {
  const rows = events.map((event, index) => ({ seq: index + 1, type: event.type, data: JSON.stringify(event) }));
  return { events: async (_: string, after: number, limit: number) => rows.slice(after, after + limit) as EventRow[] };
}

/** Asked at 1 000 and answered a second later in the conversation `t1`; the work is done, and p1 is there. */
function worked(changes: Parameters<typeof JobStory.active>[0] = {}): JobStory {
  const story = JobStory.active(changes).prepared().admitted().after(1_000);
  const answer = { sha256: 'a'.repeat(64), bytes: 1 };
  const usage = { inputTokens: 1, outputTokens: 1, costMicroUsd: 0 };
  return story.result({ type: 'Answered', key: 'h1', answer, usage, request: answer, thread: 't1' });
}

test('each phase has the conversation of its last turn before the point, and none that began later', async () => {
  const story = worked();
  story.collected(reading('COMPLETED')).after(1_000).admitted();
  story.after(1_000).tell({ type: 'Checkpoint', description: 'in the middle' });
  story.asks();
  const store = storeOf(story);
  const own = { run: 'j', agent: 'worker', thread: 't1', untilMs: 2_000 };
  expect(await threadsAt(store, 'j', 'p1')).toEqual({ implementation: own });
  expect(await threadsAt(store, 'j', 'p2')).toEqual({ implementation: own });
  story.tell({ type: 'Checkpoint', description: 'now' });
  const both = { implementation: own, 'supervisor-review': { ...own, agent: 'supervisor', untilMs: 4_000 } };
  expect(await threadsAt(storeOf(story), 'j', 'p3')).toEqual(both);
});

test('a fork that has not asked yet has those it was forked with', async () => {
  const forkedFrom = { job: 'origin', point: 'p1', threads: { implementation: THEN, 'supervisor-review': THEN } };
  const before = JobStory.active({ forkedFrom }).prepared().tell({ type: 'Checkpoint', description: 'now' });
  expect(await threadsAt(storeOf(before), 'j', 'p1')).toEqual(forkedFrom.threads);
  const after = worked({ forkedFrom }).tell({ type: 'Checkpoint', description: 'now' });
  expect(await threadsAt(storeOf(after), 'j', 'p1')).toMatchObject({
    implementation: { run: 'j', thread: 't1' },
    'supervisor-review': THEN,
  });
});

test('an agent was asked since a time when it was asked then or later, and no other one counts', async () => {
  const store = storeOf(worked());
  const since = (agent: string, sinceMs: number) => askedSince(store, { run: 'j', agent, sinceMs });
  expect(await Promise.all([since('worker', 1_000), since('worker', 1_001), since('other', 0)])).toEqual([
    true,
    false,
    false,
  ]);
});

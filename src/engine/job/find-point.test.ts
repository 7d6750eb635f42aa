import { expect, test } from 'vitest';
import { JobStory } from '../../core/job/job-story.js';
import type { EventRow } from '../ports.js';
import { findPoint } from './find-point.js';

const story = JobStory.active().prepared();
for (let point = 1; point <= 1_200; point += 1) story.tell({ type: 'Checkpoint', description: `number ${point}` });
const rows = story.events.map(({ type, ...data }, index): EventRow => {
  const rest = { position: 0, run: 'x', at: '', actor: '', key: null, epoch: null, hash: '' };
  return { ...rest, seq: index + 1, type, data: JSON.stringify(data) };
});
let reads = 0;
const store = {
  events: async (_run: string, after: number, limit: number) => {
    reads += 1;
    return rows.slice(after, after + limit);
  },
};

test.each([
  ['p1', 'number 1', true],
  ['p1099', 'number 1099', true],
  ['p1200', 'number 1200', false],
  ['p1201', undefined, true],
])('the point %s is found, in the log only when it is old', async (id, description, inLog) => {
  reads = 0;
  const point = await findPoint(store, 'x', story.live, id);
  expect([point?.description, reads > 0]).toEqual([description, inLog]);
});

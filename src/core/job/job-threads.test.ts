import { expect, test } from 'vitest';
import type { Ask } from '../kernel/effect.js';
import { jobDecider } from './job-decider.js';
import { BODY, JobStory } from './job-story.js';

const ORIGIN = { run: 'origin', thread: 't0', untilMs: 5 };
const from = (agent: string) => ({
  job: 'origin',
  point: 'p1',
  threads: { implementation: { ...ORIGIN, agent } },
});

function askOf(story: JobStory): Ask | undefined {
  for (const effect of jobDecider.outstanding(story.live)) if (effect.type === 'Ask') return effect;
  return undefined;
}

test('a fork goes on with a copy of the conversation of its phase, until it has one of its own', () => {
  const story = JobStory.active({ forkedFrom: from('worker') })
    .prepared()
    .admitted();
  expect(askOf(story)?.copyOf).toEqual(ORIGIN);
  story.lost().admitted();
  expect(askOf(story)?.copyOf, 'asked again before anything was said').toEqual(ORIGIN);
  story.asks().tell({ type: 'Decide', question: 1, decision: 'approved', guidance: null }).admitted();
  expect(askOf(story)).toMatchObject({ thread: 't1' });
  expect(askOf(story)).not.toHaveProperty('copyOf');
});

test('nobody goes on with the conversation of another agent, nor of another phase', () => {
  expect(
    askOf(
      JobStory.active({ forkedFrom: from('other') })
        .prepared()
        .admitted(),
    ),
  ).not.toHaveProperty('copyOf');
  const reviewed = JobStory.active({ forkedFrom: from('worker') })
    .prepared()
    .admitted()
    .answers('COMPLETED')
    .admitted();
  expect(reviewed.phase).toBe('supervisor-review');
  expect(askOf(reviewed)).not.toHaveProperty('copyOf');
});

test('what could not wait goes on in the conversation it cut off, and what was used there counts', () => {
  const usage = { inputTokens: 3, outputTokens: 4, costMicroUsd: 5 };
  const used = { handoff: 'h1', attempt: 1, usage, thread: 't1' };
  const story = JobStory.active().prepared().admitted();
  story.tell({ type: 'Advise', advice: BODY, now: true, used }).admitted();
  expect(askOf(story)).toMatchObject({ key: 'h2', thread: 't1' });
  expect(story.live.spent).toMatchObject({ tokens: 7, costMicroUsd: 5 });
  const late = JobStory.active().prepared().admitted();
  late.tell({ type: 'Advise', advice: BODY, now: true, used: { ...used, attempt: 2 } }).admitted();
  expect([askOf(late)?.thread, late.live.spent.tokens], 'of another attempt').toEqual([undefined, 0]);
});

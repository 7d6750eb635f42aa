import { describe, expect, test } from 'vitest';
import { jobDecider } from './job-decider.js';
import { JobStory } from './job-story.js';

describe('a job that is stepped', () => {
  const go = { type: 'Go', steps: 1 } as const;

  test('makes one handoff with all its tries, and rests until it is told to go on', () => {
    const story = JobStory.draft().tell(go).prepared().admitted();
    expect(story.fails('network').woke().admitted().handoff).toBe('h1');
    story.answers('COMPLETED');
    expect([story.status, story.phase, story.owes()]).toEqual(['REVIEWING', 'supervisor-review', []]);
    expect(jobDecider.summary(story.live)).toMatchObject({ owes: false, waitingFor: 'step', ended: false });
    expect(story.copy().tell(go).admitted().answers('RETRY').owes()).toEqual([]);
    expect(story.tell({ type: 'Go', steps: null }).admitted().answers('COMPLETED').status).toBe('SUCCESS');
  });

  test('while it is asked makes that handoff and no other', () => {
    const story = JobStory.active().prepared().admitted().tell(go).answers('COMPLETED');
    expect([story.phase, story.owes()]).toEqual(['supervisor-review', []]);
  });

  test('goes on when a person answers for it', () => {
    const story = JobStory.active().prepared().tell(go).admitted().answers('STUCK');
    expect(story.refusal(go)).toBe('INVALID_TRANSITION');
    story.tell({ type: 'Resubmit', guidance: null, phase: null });
    expect(story.admitted().answers('COMPLETED').admitted().answers('COMPLETED').status).toBe('SUCCESS');
  });
});

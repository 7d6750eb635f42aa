import { expect, test } from 'vitest';
import { BODY, JobStory } from './job-story.js';

test('advice says whose words it is: a check, an agent, the steward', () => {
  const story = JobStory.active({ checks: [['npm', 'test']] })
    .prepared()
    .admitted();
  story.answers('COMPLETED').checked([1]).admitted().answers('RETRY').admitted().answers('STUCK');
  story.tell({ type: 'Resubmit', guidance: BODY, phase: null });
  expect(story.live.guidance).toEqual([
    { ...BODY, from: 'check' },
    { ...BODY, from: 'agent' },
    { ...BODY, from: 'steward' },
  ]);
});

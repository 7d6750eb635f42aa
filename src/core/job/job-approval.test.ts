import { describe, expect, test } from 'vitest';
import { jobDecider } from './job-decider.js';
import { JobStory } from './job-story.js';

const approve = { type: 'Decide', question: 1, decision: 'approved', guidance: null } as const;

function askOf({ live: job }: JobStory) {
  for (const effect of jobDecider.outstanding(job)) if (effect.type === 'Ask') return effect;
  return undefined;
}

const asking = () => JobStory.active().prepared().admitted().asks('git push');

describe('an agent that asks whether it may', () => {
  test('waits for a person, and costs nothing meanwhile', () => {
    const story = asking();
    expect([story.status, story.live.stage.name, story.owes()]).toEqual(['RUNNING', 'approving', ['Notify notify-1']]);
    expect(jobDecider.summary(story.live)).toMatchObject({ waitingFor: 'permission' });
    expect([story.live.repeats, story.live.tries, story.lastEnd()?.cause]).toEqual([0, {}, 'asked']);
  });

  test('goes on with its conversation and the answer to exactly that', () => {
    const story = asking().tell(approve).admitted();
    expect(askOf(story)).toMatchObject({
      key: 'h1',
      attempt: 2,
      thread: 't1',
      verdict: { hash: 'hash of git push', what: 'git push', decision: 'approved' },
    });
    story.answers('COMPLETED').admitted();
    expect(askOf(story)).not.toHaveProperty('verdict');
  });

  test('is told a no with what was said', () => {
    const story = asking()
      .tell({ ...approve, decision: 'denied', guidance: 'not today' })
      .admitted();
    expect(askOf(story)?.verdict).toMatchObject({ decision: 'denied', guidance: 'not today' });
  });

  test('has used up the answer when nobody knows how far it came: it must ask again', () => {
    const story = asking().tell(approve).admitted().lost().admitted();
    expect(askOf(story)).toMatchObject({ attempt: 3, thread: 't1' });
    expect(askOf(story)).not.toHaveProperty('verdict');
    story.asks('git push');
    expect(story.refusal(approve), 'an answer to the first question is none to the second').toBe('INVALID_TRANSITION');
    expect(story.tell({ ...approve, question: 2 }).live.stage.name).toBe('queued');
  });

  test.each<[string, Parameters<JobStory['tell']>[0]]>([
    ['stepped back', { type: 'Restep', phase: 'implementation' }],
    ['run again', { type: 'Rerun' }],
  ])('is not told it when the job is %s meanwhile: that was said to another handoff', (_, command) => {
    const story = asking().tell(approve).tell(command).admitted();
    expect(askOf(story)).toMatchObject({ key: 'h2' });
    expect(askOf(story)).not.toHaveProperty('verdict');
  });

  test('has a conversation for each phase', () => {
    const story = asking().tell(approve).admitted().answers('COMPLETED').admitted();
    expect([story.status, askOf(story)?.thread]).toEqual(['REVIEWING', undefined]);
  });

  test('asks nothing when its limit is reached with that: the limit comes first', () => {
    const story = JobStory.active({ limits: { activeMs: 5 } })
      .prepared()
      .admitted()
      .after(5)
      .asks();
    expect([story.status, story.why]).toEqual(['HALTED_TIME', 'limit']);
  });
});

import { describe, expect, test } from 'vitest';
import { jobDecider } from './job-decider.js';
import { JobStory } from './job-story.js';

const REASON = 'project shop has used $20.03 of $20.00 today';

function parked(story = JobStory.active({ project: 'shop' }).prepared()): JobStory {
  const key = [...jobDecider.outstanding(story.live)].find(({ type }) => type === 'Admit')?.key ?? '';
  return story.result({ type: 'Parked', key, reason: REASON, untilMs: 86_400_000 });
}

const afforded = (story: JobStory): JobStory => story.result({ type: 'Afforded', key: 'afford-h1.1' });

describe('a job whose budget of the day is used up', () => {
  test('waits before it asks, says why and until when, and uses no attempt', () => {
    const story = parked();
    expect(story.live.stage).toMatchObject({ name: 'parked', reason: REASON, handoff: { key: 'h1', attempt: 1 } });
    expect(story.owes()).toEqual(['Afford afford-h1.1']);
    expect(jobDecider.summary(story.live)).toMatchObject({ waitingFor: 'budget', wakeAtMs: 86_400_000, owes: true });
    expect([story.live.spent.asks, story.live.handoffs, story.live.repeats]).toEqual([0, 0, 0]);
  });

  test('queues again when there is something left, with the same handoff', () => {
    const story = afforded(parked());
    expect(story.live.stage).toMatchObject({ name: 'queued', handoff: { key: 'h1', attempt: 1 } });
    expect(story.admitted().live.stage.name).toBe('asking');
  });

  test('is parked as often as it takes', () => {
    expect(afforded(parked(afforded(parked()))).admitted().live.stage).toMatchObject({ handoff: { attempt: 1 } });
  });

  test('can be ended, answered by hand, and set to another phase meanwhile', () => {
    expect(parked().tell({ type: 'Cancel' }).status).toBe('CANCELED');
    expect(parked().tell({ type: 'Rerun' }).live.stage.name).toBe('queued');
    const answer = { sha256: 'a', bytes: 1 };
    const byHand = parked().tell({ type: 'PostStep', handoff: null, role: 'Worker', answer });
    expect(byHand.live.stage.name).toBe('collecting');
  });

  test('does not mind what is said of another wait', () => {
    const story = parked();
    expect(story.result({ type: 'Afforded', key: 'afford-h9.1' }).live.stage.name).toBe('parked');
    const asking = JobStory.active().prepared().admitted();
    expect(asking.result({ type: 'Parked', key: 'admit-h1.1', reason: 'x', untilMs: 1 }).live.stage.name).toBe(
      'asking',
    );
  });

  test('a person’s turn costs nothing and is not held up', () => {
    const paying = (story: JobStory) =>
      [...jobDecider.outstanding(story.live)].flatMap((one) => ('pays' in one ? one.pays : []));
    expect(paying(JobStory.active({ project: 'shop' }).prepared())).toEqual(['shop']);
    const [work] = JobStory.active().live.order.phases;
    const byHand = JobStory.active({ phases: [{ ...(work as NonNullable<typeof work>), byHand: true }] }).prepared();
    expect(paying(byHand)).toEqual([]);
  });
});

import { describe, expect, test } from 'vitest';
import { type EffectResult, NO_USAGE } from '../kernel/effect.js';
import type { JobCommand } from './job-messages.js';
import type { JobStatus } from './job-status.js';
import { BODY, JobStory, order } from './job-story.js';

type Type = Exclude<JobCommand, EffectResult>['type'];
/** A status and, where it matters, what is under way in it. */
type Place = JobStatus | 'PENDING asked' | 'RUNNING approving' | 'INTERVENTION_REQUIRED approval';

const PLACES: Readonly<Record<Place, () => JobStory>> = {
  DRAFT: () => JobStory.draft(),
  PENDING: () => JobStory.active(),
  'PENDING asked': () => JobStory.active().prepared(),
  RUNNING: () => JobStory.active().prepared().admitted(),
  'RUNNING approving': () => JobStory.active().prepared().admitted().asks(),
  REVIEWING: () => JobStory.active().prepared().admitted().answers('COMPLETED').admitted(),
  SUCCESS: () => JobStory.active().prepared().admitted().answers('COMPLETED').admitted().answers('COMPLETED'),
  CANCELED: () => JobStory.active().tell({ type: 'Cancel' }),
  INTERVENTION_REQUIRED: () => JobStory.active().prepared().admitted().answers('COMPLETED').admitted().answers('STUCK'),
  'INTERVENTION_REQUIRED approval': () =>
    JobStory.active({ approval: true }).prepared().admitted().answers('COMPLETED').admitted().answers('COMPLETED'),
  HALTED_COST: () => halted({ costMicroUsd: 10 }),
  HALTED_TIME: () =>
    JobStory.active({ limits: { activeMs: 5 } })
      .prepared()
      .admitted()
      .after(5)
      .fails('timeout'),
};

function halted(limits: { costMicroUsd: number }): JobStory {
  const reported = { inputTokens: 0, outputTokens: 0, costMicroUsd: 10 };
  return JobStory.active({ limits }).prepared().admitted().answers('COMPLETED', { reported });
}

const COMMANDS: { readonly [Name in Type]: Omit<Extract<JobCommand, { type: Name }>, 'atMs'> } = {
  Submit: { type: 'Submit', order: order(), activate: true },
  Activate: { type: 'Activate' },
  Cancel: { type: 'Cancel' },
  Terminate: { type: 'Terminate' },
  Resubmit: { type: 'Resubmit', guidance: null, phase: null },
  Approve: { type: 'Approve' },
  Reject: { type: 'Reject', guidance: null, phase: null },
  Raise: { type: 'Raise', limits: { costMicroUsd: 1_000, activeMs: 1_000 } },
  PostStep: { type: 'PostStep', handoff: null, role: 'Worker', answer: BODY },
  Advise: { type: 'Advise', advice: BODY, now: true },
  Decide: { type: 'Decide', question: 1, decision: 'approved', guidance: null },
  NotePullRequest: { type: 'NotePullRequest', url: 'https://example.com/pull/1' },
  Checkpoint: { type: 'Checkpoint', description: 'now' },
  Rollback: { type: 'Rollback', point: 'p1', files: [] },
  Restep: { type: 'Restep', phase: 'implementation' },
  Rerun: { type: 'Rerun' },
  Go: { type: 'Go', steps: 1 },
  Rank: { type: 'Rank', rank: 5 },
};
const TYPES = Object.keys(COMMANDS) as Type[];

const NO = 'refused';
const NOTHING: Readonly<Record<Type, string>> = {
  Submit: NO,
  Activate: NO,
  Cancel: NO,
  Terminate: NO,
  Resubmit: NO,
  Approve: NO,
  Reject: NO,
  Raise: NO,
  PostStep: NO,
  Advise: NO,
  Decide: NO,
  NotePullRequest: NO,
  Checkpoint: NO,
  Rollback: NO,
  Restep: NO,
  Rerun: NO,
  Go: NO,
  Rank: NO,
};
const GOING = { ...NOTHING, Cancel: 'CANCELED' };
const HALTED = { ...GOING, Raise: 'PENDING', Rerun: 'PENDING' };

/** Every status with every command: the status that follows, or a refusal. A missing row or column does not compile. */
const CELLS: Readonly<Record<Place, Readonly<Record<Type, string>>>> = {
  DRAFT: { ...GOING, Activate: 'PENDING', Go: 'PENDING', Raise: 'DRAFT', Advise: 'DRAFT', Rank: 'DRAFT' },
  PENDING: { ...GOING, Go: 'PENDING', Raise: 'PENDING', PostStep: 'RUNNING', Advise: 'PENDING', Rank: 'PENDING' },
  'PENDING asked': {
    ...GOING,
    Go: 'PENDING',
    Raise: 'PENDING',
    PostStep: 'RUNNING',
    Advise: 'PENDING',
    NotePullRequest: 'PENDING',
    Checkpoint: 'PENDING',
    Restep: 'PENDING',
    Rerun: 'PENDING',
    Rank: 'PENDING',
  },
  // Told so that it cannot wait, it begins anew.
  RUNNING: {
    ...GOING,
    Go: 'RUNNING',
    Raise: 'RUNNING',
    PostStep: 'RUNNING',
    Advise: 'PENDING',
    NotePullRequest: 'RUNNING',
    Checkpoint: 'RUNNING',
  },
  'RUNNING approving': {
    ...GOING,
    Go: 'RUNNING',
    Raise: 'RUNNING',
    PostStep: 'RUNNING',
    Advise: 'RUNNING',
    Decide: 'RUNNING',
    NotePullRequest: 'RUNNING',
    Checkpoint: 'RUNNING',
    Restep: 'PENDING',
    Rerun: 'PENDING',
  },
  // The worker's answer is not due there.
  REVIEWING: {
    ...GOING,
    Go: 'REVIEWING',
    Raise: 'REVIEWING',
    Advise: 'PENDING',
    NotePullRequest: 'REVIEWING',
    Checkpoint: 'REVIEWING',
  },
  SUCCESS: { ...NOTHING, NotePullRequest: 'SUCCESS' },
  CANCELED: NOTHING,
  INTERVENTION_REQUIRED: {
    ...GOING,
    Terminate: 'CANCELED',
    Resubmit: 'PENDING',
    Raise: 'INTERVENTION_REQUIRED',
    NotePullRequest: 'INTERVENTION_REQUIRED',
    Checkpoint: 'INTERVENTION_REQUIRED',
    Rollback: 'INTERVENTION_REQUIRED',
    Restep: 'PENDING',
    Rerun: 'PENDING',
  },
  'INTERVENTION_REQUIRED approval': {
    ...GOING,
    Terminate: 'CANCELED',
    Resubmit: 'PENDING',
    Approve: 'SUCCESS',
    Reject: 'PENDING',
    Raise: 'INTERVENTION_REQUIRED',
    NotePullRequest: 'INTERVENTION_REQUIRED',
    Checkpoint: 'INTERVENTION_REQUIRED',
    Rollback: 'INTERVENTION_REQUIRED',
    Restep: 'PENDING',
    Rerun: 'PENDING',
  },
  HALTED_COST: {
    ...HALTED,
    Advise: 'HALTED_COST',
    NotePullRequest: 'HALTED_COST',
    Checkpoint: 'HALTED_COST',
    Rollback: 'HALTED_COST',
  },
  // Stopped in its first handoff: there is no point to go back to.
  HALTED_TIME: { ...HALTED, Advise: 'HALTED_TIME', NotePullRequest: 'HALTED_TIME', Checkpoint: 'HALTED_TIME' },
};

describe.each(Object.keys(CELLS) as Place[])('a job that is %s', (place) => {
  test.each(TYPES)('told %s does what its cell says', (type) => {
    const story = (PLACES[place] as () => JobStory)();
    expect(story.status).toBe(place.split(' ')[0]);
    const before = structuredClone(story.live);
    const command = COMMANDS[type] as Parameters<JobStory['tell']>[0];
    const expected = CELLS[place][type];
    if (expected === NO) {
      expect(story.refusal(command)).toMatch(/^(INVALID_TRANSITION|NON_COMPLIANT|LIMIT_TOO_LOW)$/);
      expect(story.live).toEqual(before);
    } else {
      expect(story.tell(command).status).toBe(expected);
    }
  });
});

describe('a deed of a job that failed for good', () => {
  const asked = () =>
    JobStory.active({ checks: [['npm', 'test']] })
      .prepared()
      .admitted();
  const DEEDS: Readonly<Record<string, () => JobStory>> = {
    'Perform workspace': () => JobStory.active(),
    'Perform collect-h1.1': () => asked().result({ type: 'Answered', key: 'h1', answer: BODY, usage: NO_USAGE }),
    'Perform check-h1.1': () => asked().answers('COMPLETED'),
    'Perform restore-1-1': () => PLACES.HALTED_COST().tell({ type: 'Rollback', point: 'p1', files: [] }),
  };

  test.each(Object.keys(DEEDS))('%s waits for a person', (deed) => {
    const story = (DEEDS[deed] as () => JobStory)();
    expect(story.owes()).toEqual([deed]);
    const key = deed.split(' ')[1] as string;
    story.result({ type: 'Failed', key, failure: 'refused', reason: 'cannot be kept', usage: NO_USAGE });
    expect([story.status, story.why]).toEqual(['INTERVENTION_REQUIRED', 'workspace']);
  });
});

test('a job that is not there takes nothing but its submission', () => {
  const refusals = TYPES.map((type) => new JobStory().refusal(COMMANDS[type] as Parameters<JobStory['tell']>[0]));
  expect(refusals).toEqual(TYPES.map((type) => (type === 'Submit' ? undefined : 'INVALID_TRANSITION')));
});

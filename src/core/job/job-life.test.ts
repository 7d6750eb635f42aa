import { describe, expect, test } from 'vitest';
import type { EffectResult } from '../kernel/effect.js';
import { NO_USAGE } from '../kernel/effect.js';
import { POINTS_KEPT_MAX } from './job-state.js';
import { BODY, JobStory, order, reading } from './job-story.js';

describe('a job', () => {
  test('goes from its worker to its supervisor to success [R035, R084, R088]', () => {
    const story = JobStory.active();
    expect(story.status).toBe('PENDING');
    story.prepared().admitted();
    expect([story.status, story.handoff]).toEqual(['RUNNING', 'h1']);
    story.answers('COMPLETED');
    expect([story.status, story.phase, story.handoff]).toEqual(['REVIEWING', 'supervisor-review', 'h2']);
    story.admitted().answers('COMPLETED');
    expect(story.status).toBe('SUCCESS');
    expect(story.owes()).toEqual([]);
  });

  test('that its supervisor sends back is worked on again, with the summary as guidance [R086, R087]', () => {
    const story = JobStory.active().prepared().admitted().answers('COMPLETED').admitted().answers('RETRY');
    expect([story.status, story.phase, story.live.guidance.length]).toEqual(['PENDING', 'implementation', 1]);
  });

  test('that is sent back three times in a row by one phase calls a person [R089, R090]', () => {
    const story = JobStory.active().prepared();
    for (const _ of [1, 2, 3]) story.admitted().answers('RETRY');
    expect([story.status, story.why]).toEqual(['INTERVENTION_REQUIRED', 'tries']);
    story.tell({ type: 'Resubmit', guidance: BODY, phase: null });
    expect([story.status, story.live.tries.implementation]).toEqual(['PENDING', 0]);
  });

  test('whose check fails is worked on again', () => {
    const story = JobStory.active({ checks: [['npm', 'test']] })
      .prepared()
      .admitted()
      .answers('COMPLETED');
    expect(story.owes()).toEqual(['Perform check-h1.1']);
    story.checked([1]);
    expect([story.status, story.live.tries.implementation, story.live.guidance.length]).toEqual(['PENDING', 1, 1]);
    story.admitted().answers('COMPLETED').checked([0]);
    expect([story.status, story.live.proof]).toEqual(['REVIEWING', 1]);
  });

  test('that changed protected files waits for a person, and goes on where it was', () => {
    const story = JobStory.active({ protect: ['test/**'] })
      .prepared()
      .admitted()
      .answers('RETRY')
      .admitted()
      .answers('COMPLETED');
    story.checked([], ['test/a.js']);
    expect([story.status, story.why]).toEqual(['INTERVENTION_REQUIRED', 'protected']);
    story.tell({ type: 'Approve' });
    expect([story.status, story.phase]).toEqual(['REVIEWING', 'supervisor-review']);
    const { tries, guidance, points } = story.live;
    expect([tries.implementation, guidance, points.map(({ description }) => description)]).toEqual([
      0,
      [],
      ['after implementation'],
    ]);
  });

  test('with an approval gate ends only when a person says so', () => {
    const story = JobStory.active({ approval: true }).prepared().admitted().answers('COMPLETED');
    story.admitted().answers('COMPLETED');
    expect([story.status, story.why]).toEqual(['INTERVENTION_REQUIRED', 'approval']);
    const rejected = story.copy();
    story.tell({ type: 'Approve' });
    rejected.tell({ type: 'Reject', guidance: null, phase: null });
    expect([story.status, rejected.status, rejected.phase]).toEqual(['SUCCESS', 'PENDING', 'implementation']);
  });
});

describe('a job in a queue', () => {
  test('that is set to the phase of another agent does not take its place in the old lane', () => {
    const story = JobStory.active().prepared().admitted().answers('COMPLETED');
    const [old = ''] = story.owes();
    expect(old).toBe('Admit admit-h2.1-supervisor');
    story.tell({ type: 'Rerun' });
    expect(story.owes()).toEqual(['Admit admit-h2.1-worker']);
    expect(story.eventsOf({ type: 'Admitted', atMs: 9_000, key: 'admit-h2.1-supervisor' })).toEqual([]);
  });
});

describe('a stand-in', () => {
  test('is for the handoff whose provider makes it wait, not for the phase a job is set to', () => {
    const story = JobStory.active({ fallback: 'other' }).prepared().admitted().fails('limit', 90_000);
    expect(story.owes()).toEqual(['Admit admit-h1.2-other']);
    story.tell({ type: 'Restep', phase: 'implementation' });
    expect(story.owes()).toEqual(['Admit admit-h2.1-worker']);
  });
});

describe('limits', () => {
  test('stop it after an answer that does not end it, and raising lets it go on', () => {
    const story = JobStory.active({ limits: { costMicroUsd: 100 } })
      .prepared()
      .admitted();
    story.answers('COMPLETED', { reported: { ...NO_USAGE, costMicroUsd: 100 } });
    expect([story.status, story.live.spent.costMicroUsd]).toEqual(['HALTED_COST', 100]);
    expect(story.refusal({ type: 'Raise', limits: { costMicroUsd: 100 } })).toBe('LIMIT_TOO_LOW');
    expect(story.refusal({ type: 'Raise', limits: { tokens: 100 } })).toBe('LIMIT_TOO_LOW');
    story.tell({ type: 'Raise', limits: { costMicroUsd: 200 } });
    expect([story.status, story.phase]).toEqual(['PENDING', 'supervisor-review']);
  });

  test('do not take back an answer that ended it', () => {
    const one = [order().phases[0]].flatMap((phase) => phase ?? []);
    const story = JobStory.active({ limits: { costMicroUsd: 100 }, phases: one })
      .prepared()
      .admitted();
    story.answers('COMPLETED', { reported: { ...NO_USAGE, costMicroUsd: 500 } });
    expect(story.status).toBe('SUCCESS');
  });

  test('of time cut an ask short and halt it', () => {
    const story = JobStory.active({ limits: { activeMs: 5_000 } })
      .prepared()
      .admitted();
    expect(story.deadlineInMs()).toBe(5_000);
    story.after(5_000).fails('timeout');
    expect([story.status, story.lastEnd()]).toEqual([
      'HALTED_TIME',
      expect.objectContaining({ response: 'TIMEOUT', action: 'RETRY', status: 'HALTED_TIME' }),
    ]);
  });

  test('that cut an ask short use no try of its phase', () => {
    const story = JobStory.active({ limits: { activeMs: 5_000 } })
      .prepared()
      .admitted();
    story
      .after(5_000)
      .fails('timeout')
      .tell({ type: 'Raise', limits: { activeMs: 90_000 } });
    expect([story.status, story.live.tries]).toEqual(['PENDING', {}]);
  });

  test('that are reached by a lost ask use no try', () => {
    const story = JobStory.active({ limits: { costMicroUsd: 100 } })
      .prepared()
      .admitted();
    story.result({ type: 'Lost', key: 'h1', usage: { ...NO_USAGE, costMicroUsd: 100 } });
    expect([story.status, story.live.tries.implementation ?? 0]).toEqual(['HALTED_COST', 0]);
  });

  test('of interactions call a person', () => {
    const story = JobStory.active({ limits: { asks: 1 } })
      .prepared()
      .admitted()
      .answers('RETRY');
    expect([story.status, story.why]).toEqual(['INTERVENTION_REQUIRED', 'limit']);
  });
});

describe('a limit that is reached in the middle of a turn', () => {
  test('halts when what it may spend was used up in the middle of a turn; else it goes on', () => {
    const spent = { inputTokens: 900, outputTokens: 200, costMicroUsd: 0 };
    const halted = JobStory.active({ limits: { tokens: 1_000 } })
      .prepared()
      .admitted()
      .fails('spent', undefined, spent);
    expect([halted.status, halted.why, halted.lastEnd()?.cause]).toEqual(['HALTED_COST', 'limit', 'spent']);
    const raised = JobStory.active({ limits: { tokens: 5_000 } })
      .prepared()
      .admitted()
      .fails('spent', undefined, spent);
    expect([raised.status, raised.live.stage.name]).toEqual(['RUNNING', 'pausing']);
  });
});

describe('the escalation matrix', () => {
  test('asks again three times after a network error, later each time, in the same status [R096]', () => {
    const story = JobStory.active().prepared().admitted();
    const waits: number[] = [];
    for (let tries = 0; tries < 3; tries += 1) {
      story.fails('network');
      expect(story.status).toBe('RUNNING');
      waits.push(story.pauseMs());
      story.woke().admitted();
    }
    story.fails('network');
    expect([story.status, story.why, story.live.handoffs, story.live.sequence]).toEqual([
      'INTERVENTION_REQUIRED',
      'network',
      1,
      4,
    ]);
    expect(waits.map((ms) => Math.abs(Math.round(Math.log2(ms / 1_000))))).toEqual([0, 1, 2]);
  });

  test('asks once more after a crash', () => {
    const story = JobStory.active().prepared().admitted().fails('crash').woke().admitted().fails('crash');
    expect([story.status, story.why]).toEqual(['INTERVENTION_REQUIRED', 'crash']);
  });

  test.each(['auth', 'not-found', 'disk-full', 'timeout', 'refused'] as const)(
    'calls a person after %s [R095]',
    (failure) => {
      const story = JobStory.active().prepared().admitted().after(60_000).fails(failure);
      expect([story.status, story.why]).toEqual(['INTERVENTION_REQUIRED', failure]);
    },
  );

  test('parks at a provider limit and goes on by itself, without using a retry', () => {
    const story = JobStory.active().prepared().admitted();
    story.fails('limit', 3_600_000);
    expect([story.status, story.pauseMs(), story.live.repeats]).toEqual(['PENDING', 3_600_000, 0]);
    story.woke().admitted().answers('COMPLETED');
    expect(story.status).toBe('REVIEWING');
  });

  test('asks the fallback instead of waiting', () => {
    const story = JobStory.active({ fallback: 'other' }).prepared().admitted();
    story.fails('limit', 3_600_000).admitted();
    expect([story.status, story.agent()]).toEqual(['RUNNING', 'other']);
    story.answers('COMPLETED').admitted();
    expect(story.agent()).toBe('supervisor');
  });

  test.each(['schema', 'action', 'summary', 'path'] as const)(
    'calls a person for an answer with a bad %s [R040, R042, R043, R092, R094]',
    (kind) => {
      const story = JobStory.active().prepared().admitted();
      story.answers(null, { fault: { kind, reason: 'x' } });
      expect([story.status, story.why, story.lastEnd()?.response]).toEqual(['INTERVENTION_REQUIRED', kind, 'ERROR']);
    },
  );

  test.each([
    ['warn', 'REVIEWING'],
    ['strict', 'PENDING'],
  ] as const)('with missing evidence and verify %s leads to %s [R041, R093]', (verify, status) => {
    const story = JobStory.active({ verify }).prepared().admitted();
    story.answers('COMPLETED', { fault: { kind: 'evidence', reason: 'a.js is missing' }, missing: ['a.js'] });
    expect(story.status).toBe(status);
  });
});

test('a lost handoff is asked again and uses no try', () => {
  const story = JobStory.active().prepared().admitted().lost();
  expect([story.status, story.handoff, story.live.repeats, story.live.tries]).toEqual(['RUNNING', 'h1', 0, {}]);
  story.admitted().answers('COMPLETED');
  expect([story.status, story.live.sequence]).toEqual(['REVIEWING', 2]);
});

test('a handoff that was lost at a limit halts the job and counts none of the time it was gone', () => {
  const story = JobStory.active({ limits: { costMicroUsd: 100, activeMs: 50_000 } })
    .prepared()
    .admitted()
    .after(40_000);
  story.result({ type: 'Lost', key: 'h1', usage: { ...NO_USAGE, costMicroUsd: 100 } });
  expect([story.status, story.live.spent.activeMs, story.lastEnd()]).toEqual([
    'HALTED_COST',
    0,
    expect.objectContaining({ response: 'ERROR', action: 'RETRY', cause: 'lost' }),
  ]);
});

test.each(['STUCK', 'RETRY'] as const)('missing evidence does not turn down an agent that answers %s', (action) => {
  const story = JobStory.active().prepared().admitted();
  story.answers(action, { fault: { kind: 'evidence', reason: 'a.js is missing' }, missing: ['a.js'] });
  expect(story.lastEnd()).toMatchObject({ response: 'SUCCESS', action, cause: null });
});

test('a workspace that is ready only after a cancel brings nothing back to life', () => {
  const story = JobStory.active().tell({ type: 'Cancel' }).prepared();
  expect([story.status, story.live.stage.name]).toEqual(['CANCELED', 'ended']);
});

test('a late answer of a superseded handoff moves nothing', () => {
  const story = JobStory.active().prepared().admitted();
  story.tell({ type: 'Cancel' });
  const late: EffectResult = { type: 'Answered', atMs: 9, key: 'h1', answer: BODY, usage: NO_USAGE };
  expect(story.eventsOf(late)).toEqual([]);
});

describe('a job that was canceled', () => {
  test('is not moved by a workspace that comes too late', () => {
    const story = JobStory.active().tell({ type: 'Cancel' }).prepared();
    expect([story.status, story.owes(), story.events.at(-1)?.type]).toEqual(['CANCELED', [], 'JobCanceled']);
  });
});

describe('an answer by hand', () => {
  test('before there is a workspace has an end when there will be none', () => {
    const story = JobStory.active().tell({ type: 'PostStep', handoff: null, role: 'Worker', answer: BODY });
    expect(story.owes()).toEqual(['Perform workspace']);
    story.result({ type: 'Performed', key: 'workspace', result: { problem: 'no repository', output: null } });
    expect([story.status, story.why]).toEqual(['INTERVENTION_REQUIRED', 'workspace']);
    expect(story.lastEnd()).toMatchObject({ handoff: 'h1', attempt: 1, action: 'STUCK', cause: 'workspace' });
  });

  test('is taken for the handoff that is due, before anyone was asked and while somebody is', () => {
    const early = JobStory.active();
    early.tell({ type: 'PostStep', handoff: null, role: 'Worker', answer: BODY });
    expect(early.owes()).toEqual(['Perform workspace']);
    early.prepared().collected(reading('COMPLETED'));
    const late = JobStory.active().prepared().admitted();
    late.tell({ type: 'PostStep', handoff: 'h1', role: 'Worker', answer: BODY }).collected(reading('COMPLETED'));
    expect([early.status, late.status]).toEqual(['REVIEWING', 'REVIEWING']);
  });

  test('whose workspace cannot be made ends its attempt, so that no interaction is missing', () => {
    const story = JobStory.active().tell({ type: 'PostStep', handoff: null, role: 'Worker', answer: BODY });
    story.result({ type: 'Performed', key: 'workspace', result: { problem: 'no git', output: null } });
    expect([story.status, story.why, story.lastEnd()]).toEqual([
      'INTERVENTION_REQUIRED',
      'workspace',
      expect.objectContaining({ handoff: 'h1', response: 'ERROR', action: 'STUCK', cause: 'workspace' }),
    ]);
  });

  test.each([[{ handoff: 'h2', role: 'Worker' }], [{ handoff: 'h1', role: 'Supervisor' }]])(
    'for %o is refused',
    (which) => {
      const story = JobStory.active().prepared().admitted();
      expect(story.refusal({ type: 'PostStep', answer: BODY, ...which })).toBe('NON_COMPLIANT');
    },
  );
});

test('a rollback restores the point and sets its phase', () => {
  const story = JobStory.active().prepared().admitted().answers('COMPLETED').admitted().answers('STUCK');
  story.tell({ type: 'Rollback', point: 'p1', files: ['src/'] });
  expect(story.owes()).toEqual(['Perform restore-1-1']);
  story.result({ type: 'Performed', key: 'restore-1-1', result: { restored: 3, problem: null } });
  expect([story.status, story.phase]).toEqual(['PENDING', 'supervisor-review']);
});

describe('a job with very many recovery points', () => {
  const story = JobStory.active().prepared();
  const POINTS = 5_000;
  for (let point = 0; point < POINTS; point += 1) story.tell({ type: 'Checkpoint', description: `number ${point}` });

  test('stays as small as one with a few, and goes on counting', () => {
    const few = JobStory.active().prepared();
    for (let point = 0; point < POINTS_KEPT_MAX; point += 1)
      few.tell({ type: 'Checkpoint', description: 'number 0000' });
    expect(JSON.stringify(story.live).length).toBeLessThan(JSON.stringify(few.live).length * 1.1);
    expect([story.live.pointsTaken, story.live.points.at(-1)?.id]).toEqual([POINTS, `p${POINTS}`]);
  });

  test('is taken back to an old one only by who brings it from the log', () => {
    const older = { id: 'p7', sequence: -1, resumePhase: 'implementation', commit: 'c7', description: 'number 6' };
    const back = { type: 'Rollback', point: 'p7', files: [] } as const;
    expect(story.refusal(back)).toBe('INVALID_TRANSITION');
    expect(story.refusal({ ...back, older: { ...older, id: 'p8' } })).toBe('INVALID_TRANSITION');
    const gone = story.copy().tell({ ...back, older });
    expect(gone.live.stage).toMatchObject({ name: 'restoring', point: older });
    expect(gone.events.at(-1)).toMatchObject({ type: 'RollbackBegun', point: 'p7', older });
  });
});

test('a job waits for those before it', () => {
  const story = JobStory.active({ after: ['one', 'two'] });
  expect(story.owes()).toEqual(['Await await-one', 'Await await-two']);
  story.result({ type: 'Ended', key: 'await-one', run: 'one', status: 'SUCCESS' });
  story.result({ type: 'Ended', key: 'await-two', run: 'two', status: 'CANCELED' });
  expect(story.owes()).toEqual(['Perform workspace']);
});

test('STUCK waits for the steward, who goes on with guidance or ends it [R085, R091]', () => {
  const story = JobStory.active().prepared().admitted().answers('STUCK');
  expect([story.status, story.why]).toEqual(['INTERVENTION_REQUIRED', 'stuck']);
  const ended = story.copy().tell({ type: 'Terminate' });
  story.tell({ type: 'Resubmit', guidance: BODY, phase: null });
  expect([story.status, story.live.guidance.length, ended.status]).toEqual(['PENDING', 1, 'CANCELED']);
});

test('a handoff whose timer rang a moment early has taken its time all the same', () => {
  const story = JobStory.active().prepared().admitted().after(59_998).fails('timeout');
  expect([story.status, story.why]).toEqual(['INTERVENTION_REQUIRED', 'timeout']);
});

import { describe, expect, test } from 'vitest';
import { errandDecider } from './errand-decider.js';
import type { ErrandCommand, ErrandEvent, ErrandOrder } from './errand-messages.js';
import type { Errand } from './errand-state.js';

const BODY = { sha256: 'ab', bytes: 2 };
const USAGE = { inputTokens: 100, outputTokens: 20, costMicroUsd: 1000 };
const ORDER: ErrandOrder = {
  title: 'tidy up',
  agent: 'alpha',
  request: BODY,
  steps: 2,
  retriesMax: 1,
  stepTimeoutMs: 100,
  limits: {},
  rank: 1,
  after: null,
  check: null,
  review: false,
  report: null,
};
const queued: ErrandEvent = { type: 'Queued', atMs: 0 };
const answeredOnce: ErrandEvent = { type: 'StepAnswered', atMs: 5, step: 1, answer: BODY, usage: USAGE };

describe('an errand that is asked', () => {
  test('goes on with its next step in the same commit, so that its place in the lane is kept', () => {
    given([submitted(), queued, asked(1, 1)])
      .when(answer('ask-1'))
      .thenEvents([
        { type: 'StepAnswered', atMs: 9, step: 1, answer: BODY, usage: USAGE },
        { type: 'StepAsked', atMs: 9, step: 2, attempt: 2, deadlineMs: 109 },
      ]);
  });

  test('ignores the answer to an earlier ask', () => {
    given([submitted(), queued, asked(1, 1), lost(), asked(1, 2)])
      .when(answer('ask-1'))
      .thenEvents([]);
  });

  test('is asked again at once when its agent was lost, without using up a try', () => {
    given([submitted(), queued, asked(1, 1)])
      .when({ type: 'Lost', atMs: 9, key: 'ask-1', usage: USAGE })
      .thenEvents([
        { type: 'StepLost', atMs: 9, step: 1, usage: USAGE },
        { type: 'StepAsked', atMs: 9, step: 1, attempt: 2, deadlineMs: 109 },
      ]);
    expect(stateOf([submitted(), queued, asked(1, 1), lost()])).toMatchObject({ tries: 0, stepsDone: 0 });
  });

  test('asks a human once its tries are used up', () => {
    given([submitted(), queued, asked(1, 1), failedOnce(), backedOff(), queued, asked(1, 2)])
      .when(failure('ask-2', 'network'))
      .thenEvents([
        { type: 'StepFailed', atMs: 9, step: 1, failure: 'network', reason: 'x', usage: USAGE },
        { type: 'HumanAsked', atMs: 9, number: 1, why: 'network' },
      ]);
  });

  test.each(['login', 'auth', 'not-found', 'timeout', 'refused'] as const)('asks a human at once after %s', (kind) => {
    given([submitted(), queued, asked(1, 1)])
      .when(failure('ask-1', kind))
      .thenEvents([
        { type: 'StepFailed', atMs: 9, step: 1, failure: kind, reason: 'x', usage: USAGE },
        { type: 'HumanAsked', atMs: 9, number: 1, why: kind },
      ]);
  });

  test('waits as long as the agent asks it to', () => {
    given([submitted(), queued, asked(1, 1)])
      .when({ ...failure('ask-1', 'limit'), retryAfterMs: 7000 })
      .thenEvents([
        { type: 'StepFailed', atMs: 9, step: 1, failure: 'limit', reason: 'x', usage: USAGE },
        { type: 'BackedOff', atMs: 9, untilMs: 7009 },
      ]);
  });
});

describe('an errand that backs off', () => {
  const history = [submitted(), queued, asked(1, 1), failedOnce(), backedOff()];

  test('is not woken before its time', () => {
    given(history).when({ type: 'Woke', atMs: 19, key: 'wake-1' }).thenEvents([]);
  });

  test('is queued when its time has come', () => {
    given(history)
      .when({ type: 'Woke', atMs: 20, key: 'wake-1' })
      .thenEvents([{ type: 'Queued', atMs: 20 }]);
  });
});

describe('the limits of an errand', () => {
  test.each([
    ['money', { costMicroUsd: 1000 }],
    ['tokens', { tokens: 120 }],
    ['asks', { asks: 1 }],
  ])('stop it before the next step when all its %s is spent', (_, limits) => {
    given([submitted({ limits }), queued, asked(1, 1)])
      .when({ ...answer('ask-1'), atMs: 5 })
      .thenEvents([
        { type: 'StepAnswered', atMs: 5, step: 1, answer: BODY, usage: USAGE },
        { type: 'HumanAsked', atMs: 5, number: 1, why: 'limit' },
      ]);
  });

  test('stop it before the next step when all its time is spent', () => {
    given([submitted({ limits: { activeMs: 5 } }), queued, asked(1, 1)])
      .when({ ...answer('ask-1'), atMs: 5 })
      .thenEvents([
        { type: 'StepAnswered', atMs: 5, step: 1, answer: BODY, usage: USAGE },
        { type: 'HumanAsked', atMs: 5, number: 1, why: 'limit' },
      ]);
  });

  test('do not stop it while something is left', () => {
    given([submitted({ limits: { costMicroUsd: 1001, tokens: 121, asks: 2 } }), queued, asked(1, 1)])
      .when(answer('ask-1'))
      .thenEvents([
        { type: 'StepAnswered', atMs: 9, step: 1, answer: BODY, usage: USAGE },
        { type: 'StepAsked', atMs: 9, step: 2, attempt: 2, deadlineMs: 109 },
      ]);
  });
});

describe('limits that are reached', () => {
  const stuck = [submitted({ limits: { asks: 1 } }), queued, asked(1, 1), answeredOnce, askedHuman('limit')];

  test('are raised, not approved', () => {
    given(stuck)
      .when({ type: 'Approve', atMs: 9 })
      .thenRefusal({ code: 'INVALID_TRANSITION', reason: 'a limit is reached: raise it instead' });
  });

  test('are not raised to what is spent already', () => {
    given(stuck)
      .when({ type: 'Raise', atMs: 9, limits: { asks: 1 } })
      .thenRefusal({ code: 'LIMIT_TOO_LOW', reason: '1 handoff is used already' });
  });

  test('once raised let it go on', () => {
    given(stuck)
      .when({ type: 'Raise', atMs: 9, limits: { asks: 3 } })
      .thenEvents([
        { type: 'LimitsRaised', atMs: 9, limits: { asks: 3 } },
        { type: 'HumanAnswered', atMs: 9, number: 1, approved: true },
        { type: 'Queued', atMs: 9 },
      ]);
  });

  test('count what was spent by every ask, however it ended', () => {
    const history = [
      submitted(),
      queued,
      asked(1, 1),
      failedOnce(),
      backedOff(),
      queued,
      asked(1, 2),
      lost(),
      asked(1, 3),
    ];
    expect(stateOf([...history, { ...answeredOnce, atMs: 7 }])).toMatchObject({
      spent: { costMicroUsd: 3000, tokens: 360, activeMs: 5 + 5 + 7, asks: 3 },
    });
  });
});

describe('the last step', () => {
  const almost = [queued, asked(1, 1), answeredOnce, asked(2, 2)];
  const last: ErrandEvent = { type: 'StepAnswered', atMs: 9, step: 2, answer: BODY, usage: USAGE };
  const check = { argv: ['true'], cwd: '.' };

  test('ends the errand', () => {
    given([submitted(), ...almost])
      .when(answer('ask-2'))
      .thenEvents([last, { type: 'ErrandDone', atMs: 9 }]);
  });

  test('is followed by the check', () => {
    given([submitted({ check, review: true }), ...almost])
      .when(answer('ask-2'))
      .thenEvents([last, { type: 'CheckStarted', atMs: 9, number: 1, deadlineMs: 600_009 }]);
  });

  test('is followed by the review', () => {
    given([submitted({ review: true }), ...almost])
      .when(answer('ask-2'))
      .thenEvents([last, { type: 'HumanAsked', atMs: 9, number: 1, why: 'review' }]);
  });

  test('a check that was lost is begun again', () => {
    given([submitted({ check }), ...almost, last, { type: 'CheckStarted', atMs: 9, number: 1, deadlineMs: 99 }])
      .when({ type: 'Lost', atMs: 20, key: 'check-1', usage: USAGE })
      .thenEvents([
        { type: 'CheckLost', atMs: 20 },
        { type: 'CheckStarted', atMs: 20, number: 2, deadlineMs: 600_020 },
      ]);
  });

  test('a check that fails asks a human', () => {
    given([submitted({ check }), ...almost, last, { type: 'CheckStarted', atMs: 9, number: 1, deadlineMs: 99 }])
      .when({ type: 'Executed', atMs: 20, key: 'check-1', exitCode: 1, output: BODY })
      .thenEvents([
        { type: 'CheckEnded', atMs: 20, exitCode: 1, output: BODY },
        { type: 'HumanAsked', atMs: 20, number: 1, why: 'check' },
      ]);
  });
});

describe('the question to a human', () => {
  const QUESTIONS = {
    review: { kind: 'approval', question: 'All steps are answered. Is it done?' },
    limit: { kind: 'limit', question: 'A limit is reached. Raise it, or cancel?' },
    crash: { kind: 'intervention', question: 'It cannot go on by itself. Try again, or give up?' },
  };

  test.each(Object.entries(QUESTIONS))('about %s is put into the inbox', (why, { kind, question }) => {
    expect(errandDecider.inbox(askedHuman(why as 'review'))).toEqual({
      open: { key: 'human-1', kind, title: why, question },
    });
  });

  test('leaves the inbox with its answer', () => {
    expect(errandDecider.inbox({ type: 'HumanAnswered', atMs: 0, number: 1, approved: true })).toEqual({
      close: 'human-1',
    });
  });
});

test('an errand without a step is refused', () => {
  given([])
    .when({ type: 'Submit', atMs: 0, ...ORDER, steps: 0 })
    .thenRefusal({ code: 'SCHEMA_INVALID', reason: 'an errand has at least one step, not 0' });
});

test('a log that does not begin with the submission is not an errand', () => {
  expect(() => stateOf([queued])).toThrow("an errand's first event is Queued");
});

function submitted(changes: Partial<ErrandOrder> = {}): ErrandEvent {
  return { type: 'ErrandSubmitted', atMs: 0, ...ORDER, ...changes };
}

function asked(step: number, attempt: number): ErrandEvent {
  return { type: 'StepAsked', atMs: 0, step, attempt, deadlineMs: 100 };
}

function lost(): ErrandEvent {
  return { type: 'StepLost', atMs: 5, step: 1, usage: USAGE };
}

function failedOnce(): ErrandEvent {
  return { type: 'StepFailed', atMs: 5, step: 1, failure: 'network', reason: 'x', usage: USAGE };
}

function backedOff(): ErrandEvent {
  return { type: 'BackedOff', atMs: 5, untilMs: 20 };
}

function askedHuman(why: 'review' | 'limit' | 'crash'): ErrandEvent {
  return { type: 'HumanAsked', atMs: 6, number: 1, why };
}

function answer(key: string): Extract<ErrandCommand, { type: 'Answered' }> {
  return { type: 'Answered', atMs: 9, key, answer: BODY, usage: USAGE };
}

function failure(key: string, kind: Extract<ErrandCommand, { type: 'Failed' }>['failure']) {
  return { type: 'Failed', atMs: 9, key, failure: kind, reason: 'x', usage: USAGE } as const;
}

function stateOf(events: readonly ErrandEvent[]): Errand {
  return events.reduce<Errand>((state, event) => errandDecider.evolve(state, event), errandDecider.initialState());
}

function given(events: readonly ErrandEvent[]) {
  return {
    when: (command: ErrandCommand) => {
      const decision = errandDecider.decide(stateOf(events), command);
      return {
        thenEvents: (expected: readonly ErrandEvent[]) => expect(decision).toEqual({ events: expected }),
        thenRefusal: (expected: { code: string; reason: string }) => expect(decision).toEqual({ refusal: expected }),
      };
    },
  };
}

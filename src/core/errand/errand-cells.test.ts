import { describe, expect, test } from 'vitest';
import type { Effect } from '../kernel/effect.js';
import { errandDecider } from './errand-decider.js';
import type { ErrandCommand, ErrandEvent, ErrandOrder } from './errand-messages.js';
import type { Errand } from './errand-state.js';

const NO_USAGE = { inputTokens: 0, outputTokens: 0, costMicroUsd: 0 };
const BODY = { sha256: 'ab', bytes: 2 };
const ORDER: ErrandOrder = {
  title: 'tidy up',
  agent: 'alpha',
  request: BODY,
  steps: 1,
  retriesMax: 1,
  stepTimeoutMs: 100,
  limits: {},
  rank: 1,
  after: null,
  check: null,
  review: false,
  report: null,
};
const submitted: ErrandEvent = { type: 'ErrandSubmitted', atMs: 0, ...ORDER };
const queued: ErrandEvent = { type: 'Queued', atMs: 0 };
const asked: ErrandEvent = { type: 'StepAsked', atMs: 0, step: 1, attempt: 1, deadlineMs: 100 };
const answered: ErrandEvent = { type: 'StepAnswered', atMs: 5, step: 1, answer: BODY, usage: NO_USAGE };
const failed: ErrandEvent = { type: 'StepFailed', atMs: 5, step: 1, failure: 'network', reason: 'x', usage: NO_USAGE };
const CHECKED = { argv: ['true'], cwd: '.' };
const REPORTING: ErrandEvent = { ...submitted, report: 'boss' };

type Status = Errand['status'];

/** One way into every status. */
const HISTORIES: Readonly<Record<Status, readonly ErrandEvent[]>> = {
  new: [],
  waiting: [{ ...submitted, after: 'first' }],
  queued: [submitted, queued],
  asking: [submitted, queued, asked],
  'backing-off': [submitted, queued, asked, failed, { type: 'BackedOff', atMs: 5, untilMs: 9 }],
  checking: [
    { ...submitted, check: CHECKED },
    queued,
    asked,
    answered,
    { type: 'CheckStarted', atMs: 5, number: 1, deadlineMs: 600_005 },
  ],
  'needs-human': [submitted, queued, asked, failed, { type: 'HumanAsked', atMs: 5, number: 1, why: 'auth' }],
  done: [REPORTING, queued, asked, answered, { type: 'ErrandDone', atMs: 5 }],
  failed: [REPORTING, queued, asked, { type: 'ErrandFailed', atMs: 5, why: 'rejected' }],
  canceled: [REPORTING, queued, { type: 'ErrandCanceled', atMs: 5 }],
};
const STATUSES = Object.keys(HISTORIES) as Status[];

const COMMANDS: { readonly [Type in ErrandCommand['type']]: Extract<ErrandCommand, { type: Type }> } = {
  Submit: { type: 'Submit', atMs: 10, ...ORDER },
  Approve: { type: 'Approve', atMs: 10 },
  Reject: { type: 'Reject', atMs: 10 },
  Cancel: { type: 'Cancel', atMs: 10 },
  Raise: { type: 'Raise', atMs: 10, limits: { asks: 9 } },
  Report: { type: 'Report', atMs: 10, from: 'other', status: 'done' },
  Answered: { type: 'Answered', atMs: 10, key: 'ask-1', answer: BODY, usage: NO_USAGE },
  Failed: { type: 'Failed', atMs: 10, key: 'ask-1', failure: 'crash', reason: 'x', usage: NO_USAGE },
  Asks: {
    ...{ type: 'Asks', atMs: 10, key: 'ask-1', usage: NO_USAGE },
    wanted: { kind: 'exec', what: 'rm -r /', cwd: '/', why: null, hash: 'h' },
  },
  Lost: { type: 'Lost', atMs: 10, key: 'ask-1', usage: NO_USAGE },
  Executed: { type: 'Executed', atMs: 10, key: 'check-1', exitCode: 0, output: BODY },
  Performed: { type: 'Performed', atMs: 10, key: 'x', result: {} },
  Woke: { type: 'Woke', atMs: 10, key: 'wake-1' },
  Ended: { type: 'Ended', atMs: 10, key: 'await-first', run: 'first', status: 'done' },
  Told: { type: 'Told', atMs: 10, key: 'report', accepted: true },
  Notified: { type: 'Notified', atMs: 10, key: 'notify-1' },
  Admitted: { type: 'Admitted', atMs: 10, key: 'admit-0-0-0' },
  Parked: { type: 'Parked', atMs: 10, key: 'admit-0-0-0', reason: 'x', untilMs: 20 },
  Afforded: { type: 'Afforded', atMs: 10, key: 'x' },
};
type Type = ErrandCommand['type'];
const TYPES = Object.keys(COMMANDS) as Type[];

const NO = 'INVALID_TRANSITION';
/** What is said about effects that are not owed changes nothing. */
const IGNORED = {
  Answered: [],
  Failed: [],
  Asks: [],
  Lost: [],
  Executed: [],
  Performed: [],
  Woke: [],
  Ended: [],
  Told: [],
  Notified: [],
  Admitted: [],
  Parked: [],
  Afforded: [],
};
const GOING = {
  Submit: NO,
  Approve: NO,
  Reject: NO,
  Cancel: ['ErrandCanceled'],
  Raise: ['LimitsRaised'],
  Report: ['ReportReceived'],
  ...IGNORED,
};
const OVER = { ...GOING, Cancel: NO, Raise: NO, Told: ['ReportDelivered'] };
const UNKNOWN = Object.fromEntries(TYPES.map((type) => [type, NO])) as Record<Type, string>;

/** Every status with every command: the events that follow, or why not. A missing row or column does not compile. */
const CELLS: Readonly<Record<Status, Readonly<Record<Type, readonly string[] | string>>>> = {
  new: { ...UNKNOWN, Submit: ['ErrandSubmitted', 'Queued'] },
  waiting: { ...GOING, Ended: ['PredecessorEnded', 'Queued'] },
  queued: { ...GOING, Admitted: ['StepAsked'] },
  asking: {
    ...GOING,
    Answered: ['StepAnswered', 'ErrandDone'],
    Failed: ['StepFailed', 'BackedOff'],
    Asks: ['StepFailed', 'HumanAsked'],
    Lost: ['StepLost', 'StepAsked'],
  },
  'backing-off': { ...GOING, Woke: ['Queued'] },
  checking: { ...GOING, Executed: ['CheckEnded', 'ErrandDone'] },
  'needs-human': {
    ...GOING,
    Approve: ['HumanAnswered', 'Queued'],
    Reject: ['HumanAnswered', 'ErrandFailed'],
    Cancel: ['HumanAnswered', 'ErrandCanceled'],
    Notified: ['HumanNotified'],
  },
  done: OVER,
  failed: OVER,
  canceled: OVER,
};

describe.each(STATUSES)('an errand that is %s', (status) => {
  test.each(TYPES)('told %s does what its cell says, without touching the state', (type) => {
    const state = frozen(stateOf(HISTORIES[status]));
    const decision = errandDecider.decide(state, frozen(COMMANDS[type]));
    expect('refusal' in decision ? decision.refusal.code : decision.events.map((event) => event.type)).toEqual(
      CELLS[status][type],
    );
  });

  test('is in that status', () => {
    expect(stateOf(HISTORIES[status]).status).toBe(status);
  });

  test('can be folded further with whatever it decides', () => {
    for (const type of TYPES) {
      const decision = errandDecider.decide(stateOf(HISTORIES[status]), COMMANDS[type]);
      const events = 'events' in decision ? decision.events : [];
      expect(() => stateOf([...HISTORIES[status], ...events])).not.toThrow();
    }
  });
});

describe('what the world owes an errand', () => {
  const OWED: Readonly<Record<Status, readonly Effect[]>> = {
    new: [],
    waiting: [{ type: 'Await', key: 'await-first', run: 'first' }],
    queued: [{ type: 'Admit', key: 'admit-0-0-0', lane: 'alpha', rank: 1 }],
    asking: [{ type: 'Ask', key: 'ask-1', agent: 'alpha', lane: 'alpha', request: BODY, attempt: 1, deadlineMs: 100 }],
    'backing-off': [{ type: 'Wake', key: 'wake-1', atMs: 9 }],
    checking: [{ type: 'Exec', key: 'check-1', argv: ['true'], cwd: '.', deadlineMs: 600_005 }],
    'needs-human': [{ type: 'Notify', key: 'notify-1', title: 'tidy up: auth' }],
    done: [tell('done')],
    failed: [tell('failed')],
    canceled: [tell('canceled')],
  };

  test.each(STATUSES)('when it is %s', (status) => {
    expect([...errandDecider.outstanding(frozen(stateOf(HISTORIES[status])))]).toEqual(OWED[status]);
  });

  test('is nothing once a human is notified', () => {
    expect([
      ...errandDecider.outstanding(stateOf([...HISTORIES['needs-human'], { type: 'HumanNotified', atMs: 6 }])),
    ]).toEqual([]);
  });

  test.each(['done', 'failed', 'canceled'] as const)('is nothing once %s is reported', (status) => {
    expect([
      ...errandDecider.outstanding(stateOf([...HISTORIES[status], { type: 'ReportDelivered', atMs: 6 }])),
    ]).toEqual([]);
  });
});

describe('the row of an errand', () => {
  const BASE = { title: 'tidy up', agent: 'alpha', project: null, parent: null, costMicroUsd: 0, tokens: 0 };
  const RESTS = { owes: false, wakeAtMs: null, waitingFor: null, ended: false };
  const OWES = { ...RESTS, owes: true };
  const ROWS = {
    waiting: OWES,
    queued: OWES,
    asking: OWES,
    'backing-off': { ...RESTS, wakeAtMs: 9 },
    checking: OWES,
    'needs-human': { ...OWES, waitingFor: 'auth' },
    done: { ...OWES, ended: true },
    failed: { ...OWES, ended: true },
    canceled: { ...OWES, ended: true },
  } satisfies Record<Exclude<Status, 'new'>, object>;

  test.each(Object.entries(ROWS))('when it is %s', (status, row) => {
    const { activeMs, handoffs, ...rest } = errandDecider.summary(frozen(stateOf(HISTORIES[status as Status])));
    expect(rest).toEqual({ status, ...BASE, ...row });
    const asked = HISTORIES[status as Status].filter(({ type }) => type === 'StepAsked').length;
    expect([activeMs >= 0, handoffs]).toEqual([true, asked]);
  });

  test('does not exist before it is submitted', () => {
    expect(() => errandDecider.summary({ status: 'new' })).toThrow('no row before it is submitted');
  });
});

function tell(status: string): Effect {
  return { type: 'Tell', key: 'report', run: 'boss', command: { type: 'Report', from: 'tidy up', status } as never };
}

function stateOf(events: readonly ErrandEvent[]): Errand {
  return events.reduce<Errand>((state, event) => errandDecider.evolve(state, event), errandDecider.initialState());
}

function frozen<Value>(value: Value): Value {
  if (typeof value === 'object' && value !== null) {
    Object.freeze(value);
    for (const part of Object.values(value)) frozen(part);
  }
  return value;
}

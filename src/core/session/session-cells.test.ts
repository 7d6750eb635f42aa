import { describe, expect, test } from 'vitest';
import { brokenPromises } from '../../../test/simulation/session-promises.js';
import { isErrorCode } from '../../contracts/shared/errors.js';
import { NO_USAGE } from '../kernel/effect.js';
import { sessionDecider } from './session-decider.js';
import type { SessionCommand, SessionEvent } from './session-messages.js';
import { answer, BODY, endOf, frozen, ORDER, response, risky, SessionStory, safe, text } from './session-story.js';

const on = (change: Partial<typeof ORDER> = {}) => new SessionStory().configure(change);
const asking = (change: Partial<typeof ORDER> = {}) => on(change).input();
const judging = (calls = 2, change: Partial<typeof ORDER> = {}) => asking(change).answers(calls);
const FULL = { figures: { input: 900, cachedInput: 0, output: 1, reasoning: 0 } };

/** One way into every stage, and what is owed there. */
const STAGES: Readonly<Record<string, readonly [way: () => SessionStory, status: string, owed: readonly string[]]>> = {
  'set up': [() => on(), 'idle', []],
  asking: [() => asking(), 'running', ['turn-1']],
  'asking again': [() => asking().fails('network').wakes(), 'running', ['turn-1']],
  'asking after a loss': [() => asking().loses('turn-1'), 'running', ['turn-1']],
  pausing: [() => asking().fails('network'), 'running', ['pause-1-1']],
  judging: [() => judging(), 'running', ['judge-1']],
  working: [() => judging().judges(safe('call-1'), safe('call-2')), 'running', ['call-1', 'call-2']],
  'working and waiting': [
    () => judging().judges(safe('call-1'), risky('call-2')),
    ...(['running', ['call-1', 'notice-call-2']] as const),
  ],
  waiting: [() => judging().judges(answer('call-1'), risky('call-2')), 'waiting', ['notice-call-2']],
  'waiting, noticed': [
    () => judging().judges(answer('call-1'), risky('call-2')).told(notified('call-2')),
    ...(['waiting', []] as const),
  ],
  'waiting for a patch': [() => judging(1).judges(risky('call-1', 'patch')), 'waiting', ['notice-call-1']],
  'waiting, and others behind it': [
    () => judging().judges(risky('call-1', 'patch'), safe('call-2')).told(notified('call-1')),
    ...(['waiting', []] as const),
  ],
  patching: [() => judging().judges(safe('call-1', 'patch'), safe('call-2')), 'running', ['call-1']],
  'waiting outside': [
    () => judging(1, { approval: 'on-failure' }).judges(safe('call-1')).ends('call-1', { isDenied: true }),
    ...(['waiting', ['notice-call-2']] as const),
  ],
  'waiting after a loss': [
    () => judging(1).judges(risky('call-1')).approve('call-1').loses('call-1'),
    ...(['waiting', ['notice-call-2']] as const),
  ],
  'asking with outputs': [() => judging(1).judges(answer('call-1')), 'running', ['turn-2']],
  compacting: [() => on().input().answers(0, FULL).input(), 'running', ['turn-4']],
  'compacting by order': [() => on().input().answers(0).compact(), 'running', ['turn-3']],
  'compacting, pausing': [() => on().input().answers(0).compact().fails('network'), 'running', ['pause-3-1']],
  'compacting in a task': [() => asking().answers(1, FULL).judges(answer('call-1')), 'running', ['turn-3']],
  'asking once it is summarised': [() => on().input().answers(0, FULL).input().answers(0), 'running', ['turn-5']],
  done: [() => asking().answers(0), 'idle', []],
  failed: [() => asking().fails('auth'), 'idle', []],
  interrupted: [() => judging().judges(safe('call-1'), risky('call-2')).interrupt(), 'idle', []],
  'out of money': [
    () => asking({ limits: { tokens: 5 } }).answers(1, {}, { ...NO_USAGE, inputTokens: 9 }),
    ...(['idle', []] as const),
  ],
  closed: [() => asking().shutdown(), 'closed', []],
};
const NAMES = Object.keys(STAGES);

function notified(call: string): SessionCommand {
  return { type: 'Notified', atMs: 1_000, key: `notice-${call}` };
}

const result = (type: string, key: string, more: object = {}) =>
  ({ type, atMs: 2_000, key, ...more }) as unknown as SessionCommand;
const asked = { sub: 'x', atMs: 2_000, used: { ...NO_USAGE, inputTokens: 1 } };
const KEYS = [1, 2, 3, 4, 5].flatMap((turn) => [
  `turn-${turn}`,
  `judge-${turn}`,
  `call-${turn}`,
  `notice-call-${turn}`,
]);

function commands(): Record<string, SessionCommand> {
  const items = { items: text('new items'), entry: text('new entry'), title: 'new' };
  const all: Record<string, SessionCommand> = {
    Configure: { type: 'Configure', ...asked, order: ORDER, thread: null },
    'Configure with a thread': {
      ...{ type: 'Configure', ...asked, order: ORDER },
      thread: { nodes: BODY, count: 1, responseId: 'other', outcome: [] },
    },
    Input: { type: 'Input', ...asked, ...items, from: null },
    'Input from a response': { type: 'Input', ...asked, ...items, from: 'resp-1' },
    'Input from an unknown response': { type: 'Input', ...asked, ...items, from: 'nowhere' },
    Interrupt: { type: 'Interrupt', ...asked },
    AddHistory: { type: 'AddHistory', sub: 'x', atMs: 2_000, entry: BODY },
    Compact: { type: 'Compact', sub: 'x', atMs: 2_000 },
    Shutdown: { type: 'Shutdown', ...asked },
    'Woke too early or of another': result('Woke', 'pause-9-9'),
  };
  for (const callId of ['call-1', 'call-2', 'call-3', 'call-99', 'theirs-1', '']) {
    for (const kind of ['exec', 'patch'] as const) {
      for (const decision of ['approved', 'approved_for_session', 'denied', 'abort'] as const) {
        const approve = { kind, callId, decision, by: 'ann', guidance: 'no' };
        all[`${kind} ${decision} of ${callId}`] = { type: 'Approve', ...asked, ...approve };
      }
    }
  }
  for (const key of [...KEYS, 'pause-1-1', 'pause-3-1', 'nothing']) Object.assign(all, results(key));
  return all;
}

function results(key: string): Record<string, SessionCommand> {
  const usage = { ...NO_USAGE, inputTokens: 2 };
  const end = endOf(key, { isDenied: true });
  const judgements = [safe('call-1', 'patch'), risky('call-2'), safe('call-99')];
  const answered = (reading: object) => result('Answered', key, { answer: BODY, usage, reading });
  return {
    [`Answered ${key}`]: answered(response(0)),
    [`Answered ${key} with 64 calls`]: answered(response(64)),
    [`Answered ${key}, nothing`]: answered(response(0, { said: [] })),
    [`Answered ${key}, full`]: answered({ type: 'context-full' }),
    [`Answered ${key}, refused`]: answered({ type: 'refused', reason: 'no pictures' }),
    [`Failed ${key}`]: result('Failed', key, { failure: 'network', reason: 'gone', usage, thread: 'a,b' }),
    [`Failed ${key} for good`]: result('Failed', key, { failure: 'auth', reason: 'x'.repeat(9_000), usage }),
    [`Lost ${key}`]: result('Lost', key, { usage }),
    [`Performed ${key}`]: result('Performed', key, { result: { end, judgements } }),
    [`Performed ${key}, nothing is known`]: result('Performed', key, { result: { end, judgements: [] } }),
    [`Woke ${key}`]: result('Woke', key),
    [`Notified ${key}`]: result('Notified', key),
    [`Asks ${key}`]: result('Asks', key, { usage, wanted: {} }),
    [`Executed ${key}`]: result('Executed', key, { exitCode: 0, output: BODY }),
    [`Ended ${key}`]: result('Ended', key, { run: 'other', status: 'done' }),
    [`Told ${key}`]: result('Told', key, { accepted: true }),
    [`Admitted ${key}`]: result('Admitted', key),
    [`Parked ${key}`]: result('Parked', key, { reason: 'so', untilMs: 1 }),
    [`Afforded ${key}`]: result('Afforded', key),
  };
}
const COMMANDS = frozen(commands());

/** What people may do where: the events that follow first, or why not. */
const BUSY = { Interrupt: 'TaskFailed', Compact: 'INVALID_TRANSITION', Shutdown: 'TaskFailed', Input: 'TaskFailed' };
const IDLE = { Interrupt: 'NO_TASK', Compact: 'TaskStarted', Shutdown: 'SessionClosed', Input: 'TaskStarted' };
const EMPTY = { ...IDLE, Compact: 'INVALID_TRANSITION' };
const BEGUN = { Configure: 'SessionConfigured', AddHistory: 'HistoryAdded' };
const PEOPLE: Readonly<Record<string, object>> = {
  'set up': { ...EMPTY, ...BEGUN },
  asking: { ...BUSY, Configure: 'TaskFailed', AddHistory: 'HistoryAdded' },
  working: { Interrupt: 'CallLost', Input: 'CallLost', Configure: 'CallLost', Shutdown: 'CallLost' },
  waiting: { Interrupt: 'ApprovalResolved', Input: 'ApprovalResolved', Configure: 'ApprovalResolved' },
  judging: { ...BUSY, Configure: 'TaskFailed' },
  pausing: { ...BUSY, Configure: 'TaskFailed' },
  compacting: { ...BUSY, Configure: 'TaskFailed' },
  done: { ...IDLE, ...BEGUN },
  failed: { ...EMPTY, ...BEGUN },
  interrupted: { ...IDLE, ...BEGUN },
  closed: { ...EMPTY, Shutdown: undefined, ...BEGUN },
};

describe.each(NAMES)('a session that is %s', (name) => {
  const [way, status, owed] = STAGES[name] as (typeof STAGES)[string];

  test('is in that stage, and owes what that stage owes', () => {
    const story = way();
    expect(story.row.status).toBe(status);
    expect(story.keys).toEqual(owed);
    expect(brokenPromises(story.events)).toEqual([]);
  });

  test('answers every command with events or a typed refusal, and keeps every promise [R499]', () => {
    const { run, events } = way();
    frozen(run);
    for (const [command, given] of Object.entries(COMMANDS)) {
      const decision = sessionDecider.decide(run, given);
      if ('refusal' in decision) expect(isErrorCode(decision.refusal.code), command).toBe(true);
      else if (decision.events.length > 0) expect(brokenPromises([...events, ...decision.events]), command).toEqual([]);
    }
  });

  test('can always be told something new, which starts a task [R500, R502]', () => {
    const { run, events } = way();
    for (const [command, given] of Object.entries(COMMANDS)) {
      const decision = sessionDecider.decide(run, given);
      if ('refusal' in decision || decision.events.length === 0) continue;
      const story = new SessionStory();
      story.run = structuredClone(run);
      story.events = [...events];
      story.told(given).input();
      expect(story.last('TaskStarted').id, command).toBe('s1');
      expect(brokenPromises(story.events), command).toEqual([]);
    }
  });

  test('owes nothing any more that has failed for good', () => {
    for (const { type, key } of way().owed) {
      if (type !== 'Ask' && type !== 'Perform') continue;
      const failed = { failure: 'refused', reason: 'cannot be kept', usage: NO_USAGE };
      const story = way().told(result('Failed', key, failed));
      expect(story.keys).not.toContain(key);
      expect(brokenPromises(story.events)).toEqual([]);
    }
  });

  test('decides the same from its snapshot', () => {
    const { run } = way();
    const { encode, decode } = sessionDecider.snapshot ?? {};
    const read = () => decode?.(JSON.parse(JSON.stringify(encode?.(run)))) ?? run;
    for (const [command, given] of Object.entries(COMMANDS)) {
      expect(sessionDecider.decide(read(), given), command).toEqual(sessionDecider.decide(run, given));
    }
  });

  test('says to people what its row says', () => {
    const { run } = way();
    for (const [command, first] of Object.entries(PEOPLE[name] ?? {})) {
      const decision = sessionDecider.decide(run, COMMANDS[command] as SessionCommand);
      const said = 'refusal' in decision ? decision.refusal.code : decision.events[0]?.type;
      expect(said, command).toBe(first);
    }
  });
});

describe('a session that is not set up', () => {
  test('takes no command but to be set up [R495, R496]', () => {
    for (const [command, given] of Object.entries(COMMANDS)) {
      const decision = sessionDecider.decide(sessionDecider.initialState(), given);
      const said = 'refusal' in decision ? decision.refusal.code : decision.events.map(({ type }) => type);
      const expected = given.type === 'Configure' ? ['SessionConfigured'] : 'SESSION_NOT_CONFIGURED';
      expect(said, command).toEqual(expected);
    }
  });

  test('has no row, and folds to nothing', () => {
    expect(() => sessionDecider.summary({ status: 'new' })).toThrow('no row before it is set up');
    const early: SessionEvent = { id: 'x', type: 'SessionClosed' };
    expect(sessionDecider.evolve({ status: 'new' }, early)).toEqual({ status: 'new' });
    expect([...sessionDecider.outstanding({ status: 'new' })]).toEqual([]);
  });
});

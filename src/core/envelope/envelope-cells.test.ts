import { describe, expect, test } from 'vitest';
import { NO_USAGE } from '../kernel/effect.js';
import { envelopeDecider } from './envelope-decider.js';
import type { EnvelopeCommand, EnvelopeEvent, EnvelopeOrder, Pace, StageReading } from './envelope-messages.js';
import type { EnvelopeRun } from './envelope-state.js';
import type { StageEnd } from './stage-end.js';
import type { DueStage, Moved, Standing, TerminalReason } from './standing.js';

const BODY = { sha256: 'ab', bytes: 2 };
const ORDER: EnvelopeOrder = {
  ...{ pipeline: { name: 'p', document: BODY }, agent: 'a', repository: { folder: '/r', named: true }, project: 'r' },
  ...{ env: [], network: [], limits: {} },
};
const HOUR_MS = 3_600_000;
const ASKED: DueStage = { stage: 'one', by: { agent: null } };
const TOOLS: DueStage = { stage: 'one', by: { tools: ['read_file'] } };

function moved(hash: string, change: Partial<Standing> = {}): Moved {
  return {
    ...{ document: BODY, hash },
    progress: { due: ['one'], waiting: [], ran: [], fires: 0, asked: null, confirmed: null },
    standing: {
      ...{ due: [ASKED], hopsLeft: 5, callsLeft: 5, waits: null, ended: null, sentence: null, title: 'T' },
      figures: { iteration: 0, calls: 0, hops: 0, stageNumber: 1, goalsLeft: 0, goals: 0 },
      ...change,
    },
  };
}

const rests = (change: Partial<Standing>): Partial<Standing> => ({ due: [], ...change });
const waits = (kind: 'clarification' | 'confirmation') => rests({ waits: { kind, question: 'Which?', id: null } });
const END: StageEnd = {
  ...{ type: 'output', stage: 'one', startedMs: 10, endedMs: 10, llmCalls: 1, output: BODY, errors: [], ends: null },
};
const READING: StageReading = { problem: null, violation: null, reported: null, end: END, moved: moved('n') };

function receive(hash: string, change: Partial<Standing>, on: string | null, pace: Pace = 'process'): EnvelopeCommand {
  const sent = { document: BODY, hash: `sent-${hash}` };
  return { type: 'Receive', atMs: 10, order: ORDER, sent, moved: moved(hash, change), on, pace };
}
const result = <Type extends EnvelopeCommand['type']>(type: Type, key: string, more: object = {}) =>
  ({ type, atMs: 10, key, ...more }) as unknown as Extract<EnvelopeCommand, { type: Type }>;

const begun = receive('v', {}, null);
const admitted = result('Admitted', 'admit-h1-1');
const parked = result('Parked', 'admit-h1-1', { reason: 'budget', untilMs: 5_000 });
const failed = result('Failed', 'h1', { failure: 'network', reason: 'gone', usage: NO_USAGE });
const expires = result('Woke', 'wait-1', { atMs: 24 * HOUR_MS + 10 });

type Resting = TerminalReason | 'ended';
type Status =
  | ('new' | 'paused' | 'queued' | 'asking' | 'pausing' | 'parked' | 'tools' | 'applying')
  | ('clarification' | 'confirmation' | 'expiring')
  | `over: ${Resting}`;
const REASONS = [
  ...['completed_successfully', 'clarification_required', 'confirmation_required', 'denied_by_policy'],
  ...['tool_failed_recoverably', 'tool_failed_fatally', 'max_iterations_exceeded', 'max_llm_calls_exceeded'],
  ...['max_agent_hops_exceeded', 'max_critic_fires_exceeded', 'ended'],
] as readonly Resting[];
const ofEach = <Value>(value: (reason: Resting) => Value) =>
  Object.fromEntries(REASONS.map((reason) => [`over: ${reason}`, value(reason)])) as Record<`over: ${Resting}`, Value>;

/** One way into every status. */
const WAYS: Readonly<Record<Status, readonly EnvelopeCommand[]>> = {
  new: [],
  paused: [receive('v', {}, null, 'rest')],
  queued: [begun],
  asking: [begun, admitted],
  pausing: [begun, admitted, failed],
  parked: [begun, parked],
  tools: [receive('v', { due: [TOOLS] }, null)],
  applying: [begun, admitted, result('Failed', 'h1', { failure: 'auth', reason: 'no', usage: NO_USAGE })],
  clarification: [receive('v', waits('clarification'), null)],
  confirmation: [receive('v', waits('confirmation'), null)],
  expiring: [receive('v', waits('clarification'), null), expires],
  ...ofEach((ended) => [receive('v', rests({ ended }), null)]),
};
const STATUSES = Object.keys(WAYS) as Status[];

const COMMANDS = {
  Receive: receive('w', {}, 'v'),
  'Receive, nothing due': receive('w', rests({ ended: 'ended' }), 'v'),
  'Receive, still asked': receive('w', waits('clarification'), 'v'),
  'Receive, on another version': receive('w', {}, 'other'),
  Go: { type: 'Go', atMs: 10, more: {}, pace: 'process', on: 'other' },
  'Go step': { type: 'Go', atMs: 10, more: { agent: 'b' }, pace: 'step', on: 'v' },
  'Go step, on another version': { type: 'Go', atMs: 10, more: {}, pace: 'step', on: 'other' },
  'Go rest': { type: 'Go', atMs: 10, more: {}, pace: 'rest', on: 'v' },
  Answered: result('Answered', 'h1', { answer: BODY, usage: NO_USAGE, reading: READING }),
  'Answered, to be repaired': result('Answered', 'h1', {
    ...{ answer: BODY, usage: NO_USAGE },
    reading: { ...READING, problem: '/x is missing', violation: 'words around it', end: null, moved: null },
  }),
  Failed: failed,
  'Failed for good': result('Failed', 'h1', { failure: 'auth', reason: 'no', usage: NO_USAGE }),
  Asks: result('Asks', 'h1', {
    ...{ usage: NO_USAGE, wanted: { kind: 'exec', what: 'rm -r /', cwd: '/', why: null, hash: 'h' } },
  }),
  Lost: result('Lost', 'h1', { usage: NO_USAGE }),
  Executed: result('Executed', 'h1', { exitCode: 0, output: BODY }),
  'Lost tools': result('Lost', 'tools-h1-0', { usage: NO_USAGE }),
  'Performed tools': result('Performed', 'tools-h1-0', { result: { end: END, moved: moved('n') } }),
  'Performed apply': result('Performed', 'apply-1', { result: moved('n', rests({ ended: 'tool_failed_fatally' })) }),
  'Performed expire': result('Performed', 'expire-1', { result: moved('n', rests({ ended: 'denied_by_policy' })) }),
  Woke: result('Woke', 'pause-h1-1', { atMs: 9_000 }),
  'Woke too early': result('Woke', 'pause-h1-1'),
  'Woke, nobody answered': expires,
  Ended: result('Ended', 'h1', { run: 'other', status: 'done' }),
  Told: result('Told', 'h1', { accepted: true }),
  Notified: result('Notified', 'notify-1'),
  Admitted: admitted,
  Parked: parked,
  Afforded: result('Afforded', 'afford-h1-0'),
} satisfies Record<string, EnvelopeCommand>;
type Name = keyof typeof COMMANDS;
const NAMES = Object.keys(COMMANDS) as Name[];
/** Does not compile when a type of command has no column. */
const EVERY_TYPE: EnvelopeCommand['type'] extends (typeof COMMANDS)[Name]['type'] ? true : never = true;

const CONFLICT = 'CONCURRENCY_CONFLICT';
const BUSY = 'INVALID_TRANSITION';
type Row = Readonly<Record<Name, readonly EnvelopeEvent['type'][] | string>>;
/** What is said about effects that are not owed changes nothing. */
const IGNORED = Object.fromEntries(NAMES.map((name) => [name, []])) as unknown as Row;
const RESTS: Row = {
  ...IGNORED,
  Receive: ['EnvelopeReceived', 'StagesStarted'],
  'Receive, nothing due': ['EnvelopeReceived'],
  'Receive, still asked': ['EnvelopeReceived'],
  'Receive, on another version': CONFLICT,
  'Go step, on another version': CONFLICT,
};
const WORKS: Row = {
  ...RESTS,
  ...{ Receive: BUSY, 'Receive, nothing due': BUSY, 'Receive, still asked': BUSY },
};
const WAITS: Row = {
  ...RESTS,
  Notified: ['StewardNotified'],
  'Woke, nobody answered': ['InterruptExpired'],
};
const MOVES = ['StageEnded', 'EnvelopeMoved', 'StagesStarted'] as const;
const LATE = 'INTERRUPT_EXPIRED';

/** Every status with every command: the events that follow, or why not. A missing row or column does not compile. */
const CELLS: Readonly<Record<Status, Row>> = {
  new: { ...(Object.fromEntries(NAMES.map((name) => [name, 'RUN_NOT_FOUND'])) as Row), ...refusedAsNew() },
  paused: {
    ...RESTS,
    Go: ['EnvelopeResumed', 'StagesStarted'],
    'Go step': ['EnvelopeResumed', 'StagesStarted'],
  },
  queued: { ...WORKS, Admitted: ['HandoffAsked'], Parked: ['HandoffParked'] },
  asking: {
    ...WORKS,
    Answered: ['HandoffEnded', ...MOVES],
    'Answered, to be repaired': ['protocol_violation', 'HandoffEnded'],
    Failed: ['HandoffEnded'],
    'Failed for good': ['HandoffEnded', 'StageEnded'],
    Asks: ['HandoffEnded', 'StageEnded'],
    Lost: ['HandoffEnded'],
  },
  pausing: { ...WORKS, Woke: ['PauseEnded'] },
  parked: { ...WORKS, Afforded: ['HandoffUnparked'] },
  tools: { ...WORKS, 'Performed tools': MOVES, 'Lost tools': ['ToolsLost'] },
  applying: { ...WORKS, 'Performed apply': ['EnvelopeMoved'] },
  clarification: WAITS,
  confirmation: WAITS,
  expiring: {
    ...RESTS,
    ...{ Receive: LATE, 'Receive, nothing due': LATE, 'Receive, still asked': LATE },
    Notified: ['StewardNotified'],
    'Performed expire': ['EnvelopeMoved'],
  },
  ...ofEach(() => RESTS),
};

describe.each(STATUSES)('an envelope that is %s', (status) => {
  test.each(NAMES)('told %s does what its cell says, without touching the state', (name) => {
    const decision = envelopeDecider.decide(frozen(stateAt(status)), frozen(COMMANDS[name]));
    expect('refusal' in decision ? decision.refusal.code : decision.events.map(({ type }) => type)).toEqual(
      CELLS[status][name],
    );
  });

  test('can be folded further with whatever it decides, and owes something or rests', () => {
    for (const name of NAMES) {
      const state = stateAt(status);
      const after = given(state, COMMANDS[name]);
      const effects = [...envelopeDecider.outstanding(after)];
      expect(new Set(effects.map(({ key }) => key)).size, name).toBe(effects.length);
      if (after.status === 'new') continue;
      const { owes, wakeAtMs } = envelopeDecider.summary(after);
      // Recovery and timers read nothing but the row.
      expect(owes || wakeAtMs !== null, name).toBe(effects.length > 0);
    }
  });
});

test.each(['tools', 'applying', 'expiring'] as const)('what failed for good while %s is not owed again', (status) => {
  const owed = [...envelopeDecider.outstanding(stateAt(status))].filter(({ type }) => type === 'Perform');
  expect(owed).toHaveLength(1);
  for (const { key } of owed) {
    const failed = {
      type: 'Failed',
      atMs: 9,
      key,
      failure: 'refused',
      reason: 'cannot be kept',
      usage: NO_USAGE,
    } as const;
    const after = given(stateAt(status), failed);
    const keys = [...envelopeDecider.outstanding(after)].map((effect) => effect.key);
    expect(keys).not.toContain(key);
    expect(envelopeDecider.summary(after).owes).toBe(keys.length > 0);
  }
});

test('every type of command has its column', () => {
  expect(EVERY_TYPE).toBe(true);
});

describe('what the world owes an envelope', () => {
  const OWED: Readonly<Record<Status, readonly string[]>> = {
    new: [],
    paused: [],
    queued: ['Admit admit-h1-1'],
    asking: ['Ask h1'],
    pausing: ['Wake pause-h1-1'],
    parked: ['Afford afford-h1-0'],
    tools: ['Perform tools-h1-0'],
    applying: ['Perform apply-1'],
    clarification: ['Wake wait-1', 'Notify notify-1'],
    confirmation: ['Wake wait-1', 'Notify notify-1'],
    expiring: ['Perform expire-1'],
    ...ofEach(() => []),
  };

  test.each(STATUSES)('when it is %s', (status) => {
    const owed = [...envelopeDecider.outstanding(frozen(stateAt(status)))];
    expect(owed.map(({ type, key }) => `${type} ${key}`)).toEqual(OWED[status]);
  });

  test('is no notice once somebody was told', () => {
    const told = given(stateAt('clarification'), COMMANDS.Notified);
    expect([...envelopeDecider.outstanding(told)].map(({ type }) => type)).toEqual(['Wake']);
  });

  test('is a clarification for a day and a confirmation for an hour', () => {
    const wakes = (status: Status) => [...envelopeDecider.outstanding(stateAt(status))][0];
    expect(wakes('clarification')).toMatchObject({ atMs: 24 * HOUR_MS + 10 });
    expect(wakes('confirmation')).toMatchObject({ atMs: HOUR_MS + 10 });
  });
});

describe('the row of an envelope', () => {
  const CALM = { status: 'running', owes: true, wakeAtMs: null, waitingFor: null, ended: false };
  const ASKING = { ...CALM, status: 'clarification_required', waitingFor: 'clarification' };
  const ROWS: Readonly<Record<Exclude<Status, 'new'>, object>> = {
    paused: { ...CALM, status: 'paused', owes: false },
    queued: CALM,
    asking: CALM,
    pausing: { ...CALM, owes: false, wakeAtMs: expect.any(Number) },
    parked: { ...CALM, wakeAtMs: 5_000, waitingFor: 'budget' },
    tools: CALM,
    applying: CALM,
    clarification: { ...ASKING, wakeAtMs: 24 * HOUR_MS + 10 },
    confirmation: {
      ...{ ...ASKING, status: 'confirmation_required', waitingFor: 'confirmation' },
      wakeAtMs: HOUR_MS + 10,
    },
    expiring: ASKING,
    ...ofEach((status) => ({ ...CALM, status, owes: false, ended: true })),
  };

  test.each(Object.entries(ROWS))('when it is %s', (status, row) => {
    const summary = envelopeDecider.summary(frozen(stateAt(status as Status)));
    expect(summary).toMatchObject({ ...row, title: 'T', agent: 'a', project: 'r', parent: null });
  });

  test('does not exist before it is received', () => {
    expect(() => envelopeDecider.summary({ status: 'new' })).toThrow('no row before it is received');
  });
});

function refusedAsNew(): Partial<Row> {
  return Object.fromEntries(NAMES.filter((name) => name.startsWith('Receive')).map((name) => [name, CONFLICT]));
}

function stateAt(status: Status): EnvelopeRun {
  return WAYS[status].reduce((run, command) => given(run, command), envelopeDecider.initialState());
}

function given(run: EnvelopeRun, command: EnvelopeCommand): EnvelopeRun {
  const decision = envelopeDecider.decide(run, command);
  const events = 'events' in decision ? decision.events : [];
  return events.reduce<EnvelopeRun>((state, event) => envelopeDecider.evolve(state, event), run);
}

function frozen<Value>(value: Value): Value {
  if (typeof value === 'object' && value !== null) {
    Object.freeze(value);
    for (const part of Object.values(value)) frozen(part);
  }
  return value;
}

import { describe, expect, test } from 'vitest';
import { NO_USAGE } from '../kernel/effect.js';
import { bridgeDecider } from './bridge-decider.js';
import type {
  BridgeCommand,
  BridgeEvent,
  BridgeOrder,
  BridgeReply,
  RoundResult,
  TakenRequest,
} from './bridge-messages.js';
import { type BridgeRun, type BridgeStage, NO_FILES } from './bridge-state.js';
import { replyTo } from './reply.js';

const BODY = { sha256: 'ab', bytes: 2 };
const ORDER: BridgeOrder = {
  ...{ dir: '/p', place: 'atp', argv: ['make', 'it'], agents: {}, profile: null, project: 'p' },
  ...{ env: [], network: [], limits: {} },
};
const WATCHED: BridgeOrder = { ...ORDER, argv: null };

function request(id: string, change: Partial<TakenRequest> = {}): TakenRequest {
  return {
    ...{ request_id: id, phase: 1, phase_name: 'one', agent_name: 'a', timeout_seconds: 30, retry_count: 0 },
    ...{ document: BODY, fingerprint: `of-${id}`, answerer: { agent: 'alpha', isPerson: false }, required: null },
    ...change,
  };
}

const ANNA = { answerer: { agent: 'anna', isPerson: true } };
const replied = (id: string): BridgeReply => replyTo({ request_id: id }, { status: 'success', atMs: 10, answer: BODY });
const ofHandler = (handler: string): BridgeCommand => ({ type: 'Begin', atMs: 10, order: ORDER, handler });
const take = (id: string, change: Partial<TakenRequest> = {}): BridgeCommand => ({
  ...{ type: 'Take', atMs: 10, order: WATCHED, request: request(id, change), files: NO_FILES, answer: null },
});
const result = <Type extends BridgeCommand['type']>(type: Type, key: string, more: object = {}) =>
  ({ type, atMs: 10, key, ...more }) as unknown as Extract<BridgeCommand, { type: Type }>;
const round = (key: string, ended: RoundResult) => result('Performed', key, { result: ended });

const asked = round('round-1-m', {
  type: 'asked',
  exit: { code: 42, signal: null },
  request: request('r1'),
  files: NO_FILES,
});
const askedAnna = round('round-1-m', { type: 'asked', exit: null, request: request('r1', ANNA), files: NO_FILES });
const exited = (code: number) =>
  round('round-1-m', { type: 'exited', exit: { code, signal: null }, files: NO_FILES, problem: null });
const admitted = result('Admitted', 'admit-h1-1');
const parked = result('Parked', 'admit-h1-1', { reason: 'budget', untilMs: 5_000 });
const failed = result('Failed', 'h1', { failure: 'network', reason: 'gone', usage: NO_USAGE });
const begun = ofHandler('m');
const pause: BridgeCommand = { type: 'Pause', atMs: 10, handler: 'm' };
const cleaned = result('Performed', 'clean-1', { result: {} });
const delivered = result('Performed', 'deliver-1', { result: { problem: null } });
const abandon: BridgeCommand = { type: 'Abandon', atMs: 10 };
const byHand: BridgeCommand = { type: 'Respond', atMs: 10, reply: replied('r1'), by: 'ann' };

/** Stages, told apart by what they come from where that decides. */
type Stage =
  | 'new'
  | Exclude<BridgeStage['name'], 'interrupted' | 'over' | 'delivering'>
  | (
      | 'interrupted'
      | 'interrupted, asked'
      | 'interrupted, answered'
      | 'delivering, watched'
      | 'delivering, run'
      | 'queued, watched'
    )
  | ('over: done' | 'over: failed' | 'over: abandoned');

/** One way into every stage. */
const WAYS: Readonly<Record<Stage, readonly BridgeCommand[]>> = {
  new: [],
  orchestrating: [begun],
  queued: [begun, asked],
  'queued, watched': [take('r1')],
  parked: [begun, asked, parked],
  asking: [begun, asked, admitted],
  pausing: [begun, asked, admitted, failed],
  waiting: [begun, askedAnna],
  'delivering, watched': [take('r1'), byHand],
  'delivering, run': [begun, asked, pause, byHand],
  cleaning: [begun, exited(0)],
  interrupted: [begun, pause],
  'interrupted, asked': [begun, asked, pause],
  'interrupted, answered': [begun, asked, pause, byHand, delivered],
  watching: [take('r1'), byHand, delivered],
  'over: done': [begun, exited(0), cleaned],
  'over: failed': [begun, exited(3), cleaned],
  'over: abandoned': [begun, pause, abandon],
};
const STAGES = Object.keys(WAYS) as Stage[];

const COMMANDS = {
  'Begin, the same handler': begun,
  'Begin, another handler': ofHandler('n'),
  Pause: pause,
  'Pause, another handler': { ...pause, handler: 'n' },
  'Take r1': take('r1'),
  'Take r2': take('r2'),
  'Take r2 for a person': take('r2', ANNA),
  'Take r2 for nobody': take('r2', { answerer: null }),
  'Take r2, answered by hand': {
    ...take('r2', { answerer: null }),
    answer: { reply: replied('r2'), by: 'ann' },
  } as BridgeCommand,
  'Take r1, answered by hand': { ...take('r1'), answer: { reply: replied('r1'), by: 'ann' } } as BridgeCommand,
  'Take r2, answered for r1': { ...take('r2'), answer: { reply: replied('r1'), by: 'ann' } } as BridgeCommand,
  Gone: { type: 'Gone', atMs: 10 },
  'Respond r1': byHand,
  'Respond r2': { ...byHand, reply: replied('r2') },
  Abandon: abandon,
  'Performed round, asked': asked,
  'Performed round, asked for nobody': round('round-1-m', {
    ...{ type: 'asked', exit: null, request: request('r1', { answerer: null }), files: NO_FILES },
  }),
  'Performed round, asked a person': askedAnna,
  'Performed round, exited': exited(0),
  'Performed round, elsewhere': round('round-1-m', { type: 'elsewhere' }),
  'Performed round of another handler': round('round-1-n', { type: 'elsewhere' }),
  'Performed deliver': delivered,
  'Performed deliver, in vain': result('Performed', 'deliver-1', { result: { problem: 'EACCES' } }),
  'Performed clean': cleaned,
  'Lost round': result('Lost', 'round-1-m', { usage: NO_USAGE }),
  'Lost ask': result('Lost', 'h1', { usage: NO_USAGE }),
  Admitted: admitted,
  'Admitted before': result('Admitted', 'admit-h1-0'),
  Parked: parked,
  Afforded: result('Afforded', 'afford-h1-0'),
  Answered: result('Answered', 'h1', { answer: BODY, usage: NO_USAGE, reading: { error: null, confidence: null } }),
  'Answered something else': result('Answered', 'h0', {
    ...{ answer: BODY, usage: NO_USAGE, reading: { error: null, confidence: null } },
  }),
  Failed: failed,
  'Failed for good': result('Failed', 'h1', { failure: 'not-found', reason: 'gone', usage: NO_USAGE }),
  Asks: result('Asks', 'h1', {
    ...{ usage: NO_USAGE, wanted: { kind: 'exec', what: 'rm -r /', cwd: '/', why: null, hash: 'h' } },
  }),
  Woke: result('Woke', 'pause-h1-1', { atMs: 9_000 }),
  'Woke too early': result('Woke', 'pause-h1-1'),
  Notified: result('Notified', 'notify-1'),
  Executed: result('Executed', 'h1', { exitCode: 0, output: BODY }),
  Ended: result('Ended', 'h1', { run: 'other', status: 'done' }),
  Told: result('Told', 'h1', { accepted: true }),
} satisfies Record<string, BridgeCommand>;
type Name = keyof typeof COMMANDS;
const NAMES = Object.keys(COMMANDS) as Name[];
/** Does not compile when a type of command has no column. */
const EVERY_TYPE: BridgeCommand['type'] extends (typeof COMMANDS)[Name]['type'] ? true : never = true;

type Cell = readonly BridgeEvent['type'][] | string;
type Row = Readonly<Record<Name, Cell>>;
const BUSY = 'INVALID_TRANSITION';
const OTHER = 'VALIDATION_ERROR';
const of = (cell: Cell) => Object.fromEntries(NAMES.map((name) => [name, cell])) as Row;
const takes = (cell: Cell) => ({
  ...{ 'Take r1': cell, 'Take r2': cell, 'Take r2 for a person': cell, 'Take r2 for nobody': cell },
  ...{ 'Take r2, answered by hand': cell, 'Take r1, answered by hand': cell, 'Take r2, answered for r1': OTHER },
});
/** Somebody works on it, and no request waits. */
const WORKS: Row = {
  ...of([]),
  ...takes(BUSY),
  ...{ 'Begin, the same handler': ['BridgeBegun'], 'Begin, another handler': ['BridgeBegun'] },
  ...{ Pause: ['BridgePaused'], Abandon: ['BridgeEnded'], 'Respond r1': BUSY, 'Respond r2': BUSY },
};
const BY_HAND = ['RequestAnswered', 'RoundStarted'] as const;
/** The request r1 waits for an agent. */
const ASKS: Row = {
  ...WORKS,
  ...{ 'Take r1': [], 'Take r1, answered by hand': BY_HAND },
  ...{ 'Respond r1': BY_HAND, 'Respond r2': OTHER },
};
const STARTS = ['BridgeBegun', 'RoundStarted'] as const;
/** Nobody works on it: whoever comes goes on. */
const RESTS: Row = {
  ...WORKS,
  ...{ 'Begin, the same handler': STARTS, 'Begin, another handler': STARTS, Pause: [] },
  'Take r1': ['BridgeWatched', 'RequestTaken'],
  'Take r2': ['BridgeWatched', 'RequestTaken'],
  'Take r2 for a person': ['BridgeWatched', 'RequestTaken', 'PersonAsked'],
  'Take r2 for nobody': ['BridgeWatched', 'RequestTaken', 'RequestAnswered'],
  'Take r2, answered by hand': ['BridgeWatched', 'RequestTaken', 'RequestAnswered'],
  'Take r1, answered by hand': ['BridgeWatched', 'RequestTaken', 'RequestAnswered'],
};
const REPEATS = ['BridgeWatched', 'RequestRepeated'] as const;
/** The answer lies in the folder. */
const ANSWERED: Row = {
  ...RESTS,
  ...{ 'Take r1': REPEATS, 'Take r1, answered by hand': BUSY, Gone: ['BridgeEnded'] },
};
const OVER: Row = {
  ...WORKS,
  ...{ 'Begin, the same handler': BUSY, 'Begin, another handler': BUSY, Pause: [], Abandon: [] },
};

/** Every stage with every command: the events that follow, or why not. A missing row or column does not compile. */
const CELLS: Readonly<Record<Stage, Row>> = {
  new: {
    ...of('RUN_NOT_FOUND'),
    ...{ 'Begin, the same handler': STARTS, 'Begin, another handler': STARTS },
    ...{ 'Take r1': RESTS['Take r1'], 'Take r2': RESTS['Take r2'], 'Take r2, answered for r1': OTHER },
    ...{ 'Take r2 for a person': RESTS['Take r2 for a person'], 'Take r2 for nobody': RESTS['Take r2 for nobody'] },
    'Take r2, answered by hand': RESTS['Take r2, answered by hand'],
    'Take r1, answered by hand': RESTS['Take r1, answered by hand'],
  },
  orchestrating: {
    ...WORKS,
    'Performed round, asked': ['RoundEnded', 'RequestTaken'],
    'Performed round, asked for nobody': ['RoundEnded', 'RequestTaken', 'RequestAnswered', 'RoundStarted'],
    'Performed round, asked a person': ['RoundEnded', 'RequestTaken', 'PersonAsked'],
    'Performed round, exited': ['RoundEnded', 'BridgeEnded'],
    'Performed round, elsewhere': ['RoundLost'],
    'Lost round': ['RoundLost'],
  },
  queued: { ...ASKS, Admitted: ['HandoffAsked'], Parked: ['HandoffParked'] },
  'queued, watched': {
    ...{ ...ASKS, Admitted: ['HandoffAsked'], Parked: ['HandoffParked'], Pause: [] },
    ...{ 'Respond r1': ['RequestAnswered'], 'Take r1, answered by hand': ['RequestAnswered'] },
  },
  parked: { ...ASKS, Afforded: ['HandoffUnparked'] },
  asking: {
    ...ASKS,
    Pause: ['HandoffEnded', 'BridgePaused'],
    Abandon: ['HandoffEnded', 'BridgeEnded'],
    ...{ 'Respond r1': ['HandoffEnded', ...BY_HAND], 'Take r1, answered by hand': ['HandoffEnded', ...BY_HAND] },
    Answered: ['HandoffEnded', ...BY_HAND],
    Failed: ['HandoffEnded'],
    'Failed for good': ['HandoffEnded', ...BY_HAND],
    Asks: ['HandoffEnded', ...BY_HAND],
    'Lost ask': ['HandoffEnded'],
  },
  pausing: { ...ASKS, Woke: ['PauseEnded'] },
  waiting: {
    ...ASKS,
    // Nobody owns it: its handler takes it again before a round begins.
    ...{ 'Respond r1': ['RequestAnswered'], 'Take r1, answered by hand': ['RequestAnswered'] },
    Notified: ['StewardNotified'],
  },
  'delivering, watched': {
    ...{ ...WORKS, Pause: [] },
    ...{ 'Performed deliver': ['ResponseDelivered'], 'Performed deliver, in vain': ['DeliveryFailed'] },
  },
  'delivering, run': {
    ...WORKS,
    ...{ 'Performed deliver': ['ResponseDelivered'], 'Performed deliver, in vain': ['DeliveryFailed'] },
  },
  cleaning: { ...WORKS, Pause: [], Abandon: [], 'Performed clean': ['FilesRemoved'] },
  interrupted: RESTS,
  'interrupted, asked': {
    ...RESTS,
    ...{ 'Begin, the same handler': ['BridgeBegun'], 'Begin, another handler': ['BridgeBegun'] },
    'Take r1': ['BridgeWatched'],
    ...{ 'Respond r1': ['RequestAnswered'], 'Take r1, answered by hand': ['RequestAnswered'] },
    'Respond r2': OTHER,
  },
  'interrupted, answered': ANSWERED,
  watching: ANSWERED,
  'over: done': OVER,
  'over: failed': RESTS,
  'over: abandoned': OVER,
};

describe.each(STAGES)('a bridge that is %s', (stage) => {
  test('is in that stage', () => {
    const state = stateAt(stage);
    expect(state.status === 'new' ? 'new' : state.stage.name).toBe(stage.split(/[:,]/)[0]);
  });

  test.each(NAMES)('told %s does what its cell says, without touching the state', (name) => {
    const decision = bridgeDecider.decide(frozen(stateAt(stage)), frozen(COMMANDS[name]));
    expect('refusal' in decision ? decision.refusal.code : decision.events.map(({ type }) => type)).toEqual(
      CELLS[stage][name],
    );
  });

  test('can be folded further with whatever it decides, and its row says whether the world owes it something', () => {
    for (const name of NAMES) {
      const after = given(stateAt(stage), COMMANDS[name]);
      const effects = [...bridgeDecider.outstanding(after)];
      expect(new Set(effects.map(({ key }) => key)).size, name).toBe(effects.length);
      if (after.status === 'new') continue;
      const { owes, wakeAtMs } = bridgeDecider.summary(after);
      // Recovery and timers read nothing but the row.
      expect(owes || wakeAtMs !== null, name).toBe(effects.length > 0);
    }
  });

  test('decides the same from its snapshot', () => {
    for (const name of NAMES) {
      const read = JSON.parse(JSON.stringify(stateAt(stage))) as BridgeRun;
      expect(bridgeDecider.decide(read, COMMANDS[name])).toEqual(bridgeDecider.decide(stateAt(stage), COMMANDS[name]));
    }
  });
});

test.each(STAGES)('a bridge that is %s does no deed again that failed for good', (stage) => {
  for (const { type, key } of bridgeDecider.outstanding(stateAt(stage))) {
    if (type !== 'Perform') continue;
    const failed = {
      type: 'Failed',
      atMs: 9,
      key,
      failure: 'refused',
      reason: 'cannot be kept',
      usage: NO_USAGE,
    } as const;
    const after = given(stateAt(stage), failed);
    expect([...bridgeDecider.outstanding(after)].map((effect) => effect.key)).not.toContain(key);
  }
});

test('every type of command has its column', () => {
  expect(EVERY_TYPE).toBe(true);
});

describe('what the world owes a bridge', () => {
  const OWED: Readonly<Record<Stage, readonly string[]>> = {
    new: [],
    orchestrating: ['Perform round-1-m'],
    queued: ['Admit admit-h1-1'],
    'queued, watched': ['Admit admit-h1-1'],
    parked: ['Afford afford-h1-0'],
    asking: ['Ask h1'],
    pausing: ['Wake pause-h1-1'],
    waiting: ['Notify notify-1'],
    'delivering, watched': ['Perform deliver-1'],
    'delivering, run': ['Perform deliver-1'],
    cleaning: ['Perform clean-1'],
    interrupted: [],
    'interrupted, asked': [],
    'interrupted, answered': [],
    watching: [],
    'over: done': [],
    'over: failed': [],
    'over: abandoned': [],
  };

  test.each(STAGES)('when it is %s', (stage) => {
    const owed = [...bridgeDecider.outstanding(frozen(stateAt(stage)))];
    expect(owed.map(({ type, key }) => `${type} ${key}`)).toEqual(OWED[stage]);
  });

  test('is no notice once somebody was told', () => {
    expect([...bridgeDecider.outstanding(given(stateAt('waiting'), COMMANDS.Notified))]).toEqual([]);
  });

  test('is another round when another handler has taken it over', () => {
    const taken = given(stateAt('orchestrating'), COMMANDS['Begin, another handler']);
    expect([...bridgeDecider.outstanding(taken)].map(({ key }) => key)).toEqual(['round-1-n']);
  });
});

describe('the row of a bridge', () => {
  const RESTING = { owes: false, wakeAtMs: null, waitingFor: null, ended: false };
  const OWES = { ...RESTING, owes: true };
  const ASKING = { ...OWES, status: 'asking', agent: 'alpha' };
  const ROWS: Readonly<Record<Exclude<Stage, 'new'>, object>> = {
    orchestrating: { ...OWES, status: 'running', agent: null },
    queued: ASKING,
    'queued, watched': { ...ASKING, title: '/p' },
    parked: { ...ASKING, status: 'parked', waitingFor: 'budget' },
    asking: { ...ASKING, handoffs: 1 },
    pausing: { ...ASKING, owes: false, wakeAtMs: expect.any(Number) },
    waiting: { ...OWES, status: 'waiting', agent: 'anna', waitingFor: 'clarification' },
    'delivering, watched': { ...OWES, status: 'delivering', title: '/p' },
    'delivering, run': { ...OWES, status: 'delivering' },
    cleaning: { ...OWES, status: 'finishing' },
    interrupted: { ...RESTING, status: 'interrupted' },
    'interrupted, asked': { ...RESTING, status: 'interrupted', agent: 'alpha' },
    'interrupted, answered': { ...RESTING, status: 'interrupted' },
    watching: { ...RESTING, status: 'watching', title: '/p' },
    'over: done': { ...RESTING, status: 'done', ended: true },
    // It may be gone on with.
    'over: failed': { ...RESTING, status: 'failed' },
    'over: abandoned': { ...RESTING, status: 'abandoned', ended: true },
  };

  test.each(Object.entries(ROWS))('when it is %s', (stage, row) => {
    const summary = bridgeDecider.summary(frozen(stateAt(stage as Stage)));
    const base = { title: 'make it', project: 'p', parent: null, text: expect.stringContaining('atp') };
    expect(summary).toMatchObject({ ...base, ...row });
  });

  test('does not exist before it is begun', () => {
    expect(() => bridgeDecider.summary({ status: 'new' })).toThrow('no row before it is begun');
  });
});

function stateAt(stage: Stage): BridgeRun {
  return WAYS[stage].reduce((run, command) => given(run, command), bridgeDecider.initialState());
}

function given(run: BridgeRun, command: BridgeCommand): BridgeRun {
  const decision = bridgeDecider.decide(run, command);
  const events = 'events' in decision ? decision.events : [];
  return events.reduce<BridgeRun>((state, event) => bridgeDecider.evolve(state, event), run);
}

function frozen<Value>(value: Value): Value {
  if (typeof value === 'object' && value !== null) {
    Object.freeze(value);
    for (const part of Object.values(value)) frozen(part);
  }
  return value;
}

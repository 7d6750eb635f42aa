import { describe, expect, test } from 'vitest';
import { NO_USAGE, type Perform } from '../kernel/effect.js';
import { bridgeDecider } from './bridge-decider.js';
import type { BridgeCommand } from './bridge-messages.js';
import { NO_FILES } from './bridge-state.js';
import { BODY, BridgeStory, EXIT_42, FINE, ORDER, replied, request } from './bridge-story.js';

const SECOND = 1_000;
const begun = (): BridgeStory => new BridgeStory().begin();
const asking = (): BridgeStory => begun().asks('r1').admitted();

describe('an orchestrator', () => {
  test('that asks three times is started four times and done, and its files are removed [R197, R225]', () => {
    const bridge = begun();
    expect(bridge.round).toMatchObject({ round: 1, resume: false, reply: null, answered: [] });
    for (const id of ['r1', 'r2', 'r3']) bridge.crosses(id);
    expect(bridge.round).toMatchObject({ round: 4, resume: true, answered: ['r1', 'r2', 'r3'] });
    expect(bridge.round.reply).toMatchObject({ request_id: 'r3', status: 'success', answer: BODY, tokens: 7 });
    bridge.exits({ code: 0, signal: null });
    expect((bridge.owed as Perform).input).toEqual({ dir: '/p', files: NO_FILES, failed: false });
    bridge.performed({});
    expect(bridge.end).toEqual({ exitCode: 0, problem: null });
    expect(bridgeDecider.summary(bridge.run)).toMatchObject({ status: 'done', ended: true, handoffs: 3, tokens: 21 });
    expect(bridge.refused({ type: 'Begin', atMs: 1, order: ORDER, handler: 'n' })).toBe('INVALID_TRANSITION');
  });

  test.each([
    [{ code: 0, signal: null }, 0],
    [{ code: 1, signal: null }, 1],
    [{ code: 7, signal: null }, 7],
    [{ code: null, signal: 'SIGTERM' }, 143],
    [{ code: null, signal: 'SIGKILL' }, 137],
    [{ code: null, signal: 'SIGSEGV' }, 139],
    [null, 1],
    // Whoever started the handler must never take this for a checkpoint of its own.
    [EXIT_42, 1],
  ])('that ends with %j ends its handler with %i [R198]', (exit, exitCode) => {
    expect(begun().exits(exit).end).toEqual({ exitCode, problem: null });
  });

  test('that exits with 42 and leaves no request ends its handler with 1, and why is said', () => {
    const problem = { code: 'BRIDGE_NO_REQUEST', reason: 'left none' };
    expect(begun().exits(EXIT_42, problem).end).toEqual({ exitCode: 1, problem });
  });

  test('whose failure is told at great length leaves an event that can be written', () => {
    const bridge = begun().exits(EXIT_42, { code: 'SCHEMA_INVALID', reason: 'x'.repeat(100_000) });
    expect(JSON.stringify(bridge.events).length).toBeLessThan(4_000);
  });

  test('that fails is gone on with from its last state, which stays known [R226]', () => {
    const state = { body: BODY, isMasked: false };
    const bridge = begun().asks('r1', {}, { ...NO_FILES, state });
    bridge.admitted().answered().exits({ code: 1, signal: null });
    expect((bridge.owed as Perform).input).toMatchObject({ failed: true, files: { state } });
    bridge.performed({});
    expect(bridgeDecider.summary(bridge.run)).toMatchObject({ status: 'failed', ended: false });
    bridge.begin('n');
    expect(bridge.round).toMatchObject({ handler: 'n', round: 3, resume: true, state });
    expect(bridge.round.reply).toMatchObject({ request_id: 'r1' });
    expect(bridge.end).toBeNull();
  });
});

describe('an ask that fails', () => {
  test('is asked once more under its id with twice the time and one more retry, then said [R191]', () => {
    const bridge = asking();
    expect(bridge.ask.facts).toEqual({ document: BODY, retry_count: 0, timeout_seconds: 30 });
    expect(bridge.ask.deadlineMs).toBe(1 + 30 * SECOND);
    bridge.failed('crash').admitted();
    expect(bridge.ask).toMatchObject({ key: 'h1', attempt: 2, deadlineMs: 1 + 60 * SECOND });
    expect(bridge.ask.facts).toEqual({ document: BODY, retry_count: 1, timeout_seconds: 60 });
    bridge.failed('crash');
    expect(bridge.round).toMatchObject({ round: 2, resume: true });
    const error = { type: 'INVOCATION_FAILED', message: 'a: so' };
    expect(bridge.round.reply).toMatchObject({ request_id: 'r1', status: 'error', error, answer: null });
  });

  test('never has more than 600 seconds, and counts on from the retries of its request', () => {
    const bridge = begun().asks('r1', { timeout_seconds: 400, retry_count: 2 }).admitted().failed('crash').admitted();
    expect(bridge.ask.facts).toMatchObject({ retry_count: 3, timeout_seconds: 600 });
  });

  test('by its time is asked once more with the same time, then said [R192]', () => {
    const bridge = asking().failed('timeout').admitted();
    expect(bridge.ask.facts).toMatchObject({ retry_count: 1, timeout_seconds: 30 });
    bridge.failed('timeout');
    expect(bridge.round.reply).toMatchObject({ status: 'timeout', error: { type: 'TIMEOUT', message: 'a: so' } });
  });

  test('in both ways is asked three times', () => {
    const bridge = asking().failed('timeout').admitted().failed('crash').admitted();
    expect(bridge.ask).toMatchObject({ attempt: 3, facts: { retry_count: 2, timeout_seconds: 60 } });
    expect(bridge.failed('timeout').round.reply?.error?.type).toBe('TIMEOUT');
  });

  test('for want of a network waits a moment before it is asked again', () => {
    const bridge = asking().failed('network');
    expect(bridge.owed).toMatchObject({ type: 'Wake', key: 'pause-h1-1' });
    bridge.nowMs = 60 * SECOND;
    bridge.told({ type: 'Woke', atMs: bridge.nowMs, key: 'pause-h1-1' });
    expect(bridge.stage).toBe('queued');
  });

  test('at a limit of its provider waits for as long as that takes, and that is no try', () => {
    const bridge = asking();
    for (const attempt of [1, 2, 3, 4]) {
      bridge.failed('limit', { retryAfterMs: 1_000 });
      bridge.nowMs += 2_000;
      bridge.told({ type: 'Woke', atMs: bridge.nowMs, key: `pause-h1-${attempt}` }).admitted();
    }
    expect(bridge.ask).toMatchObject({ attempt: 5, facts: { retry_count: 0, timeout_seconds: 30 } });
  });
});

describe('an ask that fails for good', () => {
  test('because nobody has that name is said at once [R190]', () => {
    const unknown = begun().asks('r1', { answerer: null });
    expect(unknown.round.reply).toMatchObject({
      ...{ status: 'error', error: { type: 'AGENT_NOT_FOUND', message: 'nobody is called a' } },
    });
    expect(unknown.types).not.toContain('HandoffAsked');
    expect(asking().failed('not-found').round.reply?.error?.type).toBe('AGENT_NOT_FOUND');
  });

  test.each(['disk-full', 'workspace'] as const)('by %s is UNKNOWN [R195]', (failure) => {
    expect(asking().failed(failure).round.reply?.error).toEqual({ type: 'UNKNOWN', message: 'a: so' });
  });

  test.each(['PARSE_ERROR', 'VALIDATION_ERROR'] as const)(
    'to be what its phase needs is %s, with what was answered [R193, R194]',
    (type) => {
      const bridge = asking().answered({ error: { type, message: 'not so' }, confidence: 0.5 });
      const reply = { status: 'error', error: { type, message: 'not so' }, answer: BODY, confidence: 0.5 };
      expect(bridge.round.reply).toMatchObject(reply);
    },
  );

  test('because the agent wants to do something is said: there is nobody who could allow it', () => {
    const bridge = asking();
    const wanted = { kind: 'exec', what: `rm ${'x'.repeat(100_000)}`, cwd: '/', why: null, hash: 'h' } as const;
    bridge.told({ type: 'Asks', atMs: 1, key: 'h1', wanted, usage: NO_USAGE });
    expect(bridge.round.reply?.error?.type).toBe('INVOCATION_FAILED');
    expect(JSON.stringify(bridge.events).length).toBeLessThan(9_000);
  });

  test('with a long reason leaves events that can be written', () => {
    const bridge = asking()
      .failed('refused', { reason: 'x'.repeat(100_000) })
      .admitted();
    bridge.failed('refused', { reason: 'x'.repeat(100_000) });
    for (const event of bridge.events) expect(JSON.stringify(event).length).toBeLessThan(5_000);
  });
});

describe('progress', () => {
  const same = { fingerprint: 'same' };

  test('a request that was answered is answered from the log, without an ask', () => {
    const bridge = begun().crosses('r1').asks('r1');
    expect(bridge.types.slice(-3)).toEqual(['RoundEnded', 'RequestRepeated', 'RoundStarted']);
    expect(bridge.round).toMatchObject({ round: 3, reply: { request_id: 'r1', tokens: 7 } });
    expect(bridge.types.filter((type) => type === 'HandoffAsked')).toHaveLength(1);
  });

  test('the sixth round that asks nothing new ends it', () => {
    for (const idOf of [() => 'r1', (round: number) => `r${round}`]) {
      const bridge = begun().crosses('r1', same);
      for (let round = 2; round <= 6; round += 1) {
        bridge.asks(idOf(round), same);
        if (bridge.stage === 'queued') bridge.admitted().answered();
        expect(bridge.live.idleRounds).toBe(round - 1);
      }
      expect(bridge.asks(idOf(7), same).end).toMatchObject({ exitCode: 1, problem: { code: 'BRIDGE_NO_PROGRESS' } });
    }
  });

  test('something new begins the count again', () => {
    const bridge = begun().crosses('r1', same);
    for (let round = 2; round <= 6; round += 1) bridge.asks('r1', same);
    bridge.crosses('n', { fingerprint: 'new' });
    expect(bridge.live.idleRounds).toBe(0);
    expect(bridge.asks('r1', same).end).toBeNull();
  });

  test('a handler that takes its run back has seen none; another one begins the count again', () => {
    const idle = (handler: string) =>
      begun().crosses('r1', same).asks('r1', same).lost().begin(handler).live.idleRounds;
    expect([idle('m'), idle('n')]).toEqual([1, 0]);
  });
});

describe('what nobody saw the end of', () => {
  test('a round is begun again by the next handler, and is told what was answered', () => {
    const bridge = begun().crosses('r1').lost();
    expect([bridge.stage, [...bridgeDecider.outstanding(bridge.run)]]).toEqual(['interrupted', []]);
    expect(bridge.begin('n').round).toMatchObject({ round: 3, resume: true, answered: ['r1'], handler: 'n' });
  });

  test('an ask is asked again at once, and that is no try', () => {
    const bridge = asking().lost().admitted();
    expect(bridge.ask).toMatchObject({ key: 'h1', attempt: 2, facts: { retry_count: 0, timeout_seconds: 30 } });
  });

  test('a delivery and a cleaning are done again', () => {
    for (const bridge of [new BridgeStory().takes('r1').respond('r1'), begun().exits({ code: 0, signal: null })]) {
      const { key } = bridge.owed;
      expect(bridge.lost().owed.key).toBe(key);
    }
  });

  test('a server that inherits it finishes the ask and leaves the round to its handler', () => {
    const bridge = asking().lost().admitted().answered();
    expect(bridge.performed({ type: 'elsewhere' }).stage).toBe('interrupted');
    expect(bridge.begin('n').round.reply).toMatchObject({ request_id: 'r1' });
  });
});

describe('a handler that is told to end', () => {
  const waiting = () => begun().asks('r1', { answerer: { agent: 'anna', isPerson: true } });

  test('while the orchestrator runs: the next one begins a round', () => {
    expect(begun().pause().begin('n').round).toMatchObject({ round: 2, resume: true });
  });

  test('while an agent is asked: the next one asks it again', () => {
    const bridge = asking().pause();
    expect(bridge.types.slice(-2)).toEqual(['HandoffEnded', 'BridgePaused']);
    expect(bridge.begin('n').admitted().ask).toMatchObject({ attempt: 2, facts: { retry_count: 0 } });
  });

  test('while a person is asked: the question is closed, and another one is asked by the next', () => {
    const bridge = waiting().pause();
    expect(bridge.events.at(-1)).toMatchObject({ type: 'BridgePaused', question: 1 });
    expect(bridge.begin('n').owed).toMatchObject({ type: 'Notify', key: 'notify-2' });
  });

  test('while somebody else has its run already: nothing', () => {
    const bridge = begun().begin('n');
    expect(bridge.pause('m').stage).toBe('orchestrating');
  });

  test('twice: once', () => {
    const bridge = begun().pause();
    const { length } = bridge.events;
    expect(bridge.pause().events).toHaveLength(length);
  });
});

describe('an answer by hand', () => {
  test('ends the ask of an agent and goes on', () => {
    const bridge = asking().respond('r1');
    expect(bridge.events.find(({ type }) => type === 'HandoffEnded')).toMatchObject({ cause: 'answered' });
    expect(bridge.round.reply).toEqual(replied('r1'));
  });

  test('to a person is written into the folder, and its handler takes the run again', () => {
    const bridge = begun().asks('r1', { answerer: { agent: 'anna', isPerson: true } });
    expect(bridge.owed).toMatchObject({ type: 'Notify', title: 'a is asked for one' });
    bridge.told({ type: 'Notified', atMs: 1, key: 'notify-1' });
    expect(bridgeDecider.summary(bridge.run)).toMatchObject({ owes: false, waitingFor: 'clarification' });
    bridge.respond('r1').performed({ problem: null });
    expect([bridge.stage, bridge.live.undelivered]).toEqual(['interrupted', null]);
    expect(bridge.begin('m').round).toMatchObject({ round: 2, resume: true, reply: replied('r1') });
  });

  test('while nobody handles it is written into the folder, and given to the next handler too', () => {
    const bridge = asking().pause().respond('r1');
    expect((bridge.owed as Perform).input).toEqual({ dir: '/p', reply: replied('r1') });
    expect(bridge.performed({ problem: null }).begin('n').round.reply).toEqual(replied('r1'));
  });

  test('that cannot be written is kept, and why is said', () => {
    const bridge = asking().pause().respond('r1').performed({ problem: 'EACCES' });
    expect([bridge.stage, bridge.live.undelivered]).toEqual(['interrupted', 'EACCES']);
    const next = bridge.begin('n');
    expect([next.round.reply, next.live.undelivered]).toEqual([replied('r1'), null]);
  });

  test('counts once, and only for what was asked [R183]', () => {
    const respond = (id: string): BridgeCommand => ({ type: 'Respond', atMs: 2, reply: replied(id), by: 'ann' });
    const bridge = asking();
    expect(bridge.refused(respond('r2'))).toBe('VALIDATION_ERROR');
    bridge.told(respond('r1'));
    expect(bridge.refused(respond('r1'))).toBe('INVALID_TRANSITION');
    expect(begun().refused(respond('r1'))).toBe('INVALID_TRANSITION');
  });

  test('of an agent that was called off by it changes nothing', () => {
    const bridge = asking();
    const late: BridgeCommand = { type: 'Answered', atMs: 2, key: 'h1', answer: BODY, usage: NO_USAGE, reading: FINE };
    const { length } = bridge.respond('r1').events;
    expect(bridge.told(late).events).toHaveLength(length);
  });
});

describe('an orchestrator that somebody else starts', () => {
  test('is answered in its folder, and asked for no round', () => {
    const bridge = new BridgeStory().takes('r1').admitted().answered();
    expect((bridge.owed as Perform).input).toMatchObject({ dir: '/p', reply: { request_id: 'r1' } });
    expect(bridge.performed({ problem: null }).stage).toBe('watching');
    expect(bridge.takes('r2').stage).toBe('queued');
    expect(bridge.types).not.toContain('RoundStarted');
  });

  test('is answered from the log when it asks again, and only that request is done with', () => {
    const bridge = new BridgeStory().takes('r1').respond('r1').performed({ problem: null }).takes('r2');
    bridge.told({ type: 'Begin', atMs: 1, order: ORDER, handler: 'm' }).pause().takes('r1');
    expect([bridge.stage, bridge.live.request]).toEqual(['delivering', null]);
  });

  test('and that had been asked for by a handler is asked for again', () => {
    const bridge = asking().pause().takes('r1').admitted().answered();
    expect(bridge.stage).toBe('delivering');
    expect(bridge.types.filter((type) => type === 'RequestTaken')).toHaveLength(1);
  });

  test('may be answered by somebody whom Baton does not know', () => {
    const bridge = new BridgeStory();
    const order = { ...ORDER, argv: null };
    const said = { order, request: request('r1', { answerer: null }), files: NO_FILES };
    bridge.told({ type: 'Take', atMs: 1, ...said, answer: { reply: replied('r1'), by: 'ann' } });
    expect(bridge.live.replies).toEqual({ r1: replied('r1') });
    expect((bridge.owed as Perform).input).toEqual({ dir: '/p', reply: replied('r1') });
  });

  test('has ended when nothing of it lies in the folder: the next one is another run', () => {
    const bridge = new BridgeStory().takes('r1').respond('r1').performed({ problem: null });
    expect(bridge.told({ type: 'Gone', atMs: 2 }).end).toEqual({ exitCode: 0, problem: null });
    expect(bridgeDecider.summary(bridge.run)).toMatchObject({ status: 'done', ended: true, owes: false });
  });

  test('is not asked for when it asks for the same all the time', () => {
    const bridge = new BridgeStory();
    const answer = (id: string) =>
      bridge.takes(id, { fingerprint: 'f' }).admitted().answered().performed({ problem: null });
    for (let asks = 0; asks <= 5; asks += 1) answer(`r${asks}`);
    expect(() => answer('r9')).toThrow('BRIDGE_NO_PROGRESS');
  });
});

test('who cleans a bridge up ends it for good, with the ask that was under way and the question that was open', () => {
  const abandoned = (bridge: BridgeStory) => bridge.told({ type: 'Abandon', atMs: 2 });
  expect(abandoned(asking()).types.slice(-2)).toEqual(['HandoffEnded', 'BridgeEnded']);
  const waiting = begun().asks('r1', { answerer: { agent: 'anna', isPerson: true } });
  expect(abandoned(waiting).events.at(-1)).toMatchObject({ exitCode: 1, question: 1 });
  expect(bridgeDecider.summary(waiting.run)).toMatchObject({ status: 'abandoned', ended: true });
  expect(waiting.refused({ type: 'Begin', atMs: 3, order: ORDER, handler: 'n' })).toBe('INVALID_TRANSITION');
});

test('a person is asked in the inbox, and every way out closes the question', () => {
  const inbox = (bridge: BridgeStory) => bridge.events.map((event) => bridgeDecider.inbox(event)).filter(Boolean);
  const open = {
    ...{ key: 'request-1', kind: 'clarification', title: 'request', question: 'What does a answer for one?' },
  };
  const waiting = () => begun().asks('r1', { answerer: { agent: 'anna', isPerson: true } });
  const closed = [{ open }, { close: 'request-1' }];
  expect(inbox(waiting().respond('r1'))).toEqual(closed);
  expect(inbox(waiting().pause())).toEqual(closed);
  expect(inbox(waiting().told({ type: 'Abandon', atMs: 2 }))).toEqual(closed);
});

test.each([
  ['round', begun],
  ['deliver', () => new BridgeStory().takes('r1').admitted().answered()],
  ['clean', () => begun().exits({ code: 0, signal: null })],
] as const)('a deed that failed for good, %s, is not done again', (name, way) => {
  const bridge = way();
  const { key, type } = bridge.owed;
  expect([type, key.split('-')[0]]).toEqual(['Perform', name]);
  bridge.failed('refused');
  expect([...bridgeDecider.outstanding(bridge.run)].map((effect) => effect.key)).not.toContain(key);
});

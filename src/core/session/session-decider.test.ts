import { describe, expect, test } from 'vitest';
import { brokenPromises } from '../../../test/simulation/session-promises.js';
import { NO_USAGE } from '../kernel/effect.js';
import { sessionDecider } from './session-decider.js';
import type { DeedFacts, TurnFacts } from './session-effects.js';
import type { SessionCommand } from './session-messages.js';
import { answer, type ORDER, risky, SessionStory, safe, text } from './session-story.js';

const on = (change: Partial<typeof ORDER> = {}) => new SessionStory().configure(change);
const asking = (change: Partial<typeof ORDER> = {}) => on(change).input();
const judging = (calls = 2, change: Partial<typeof ORDER> = {}) => asking(change).answers(calls);
const FULL = { figures: { input: 900, cachedInput: 0, output: 1, reasoning: 0 } };
const COST = { inputTokens: 3, outputTokens: 4, costMicroUsd: 5 };
const notified = (call: string): SessionCommand => ({ type: 'Notified', atMs: 1_000, key: `notice-${call}` });
const outputs = (story: SessionStory) =>
  story.live.pending.map((one) => (one.type === 'output' ? one.callId : 'items'));
const facts = (story: SessionStory) => (story.owed[0] as unknown as { request: { from: TurnFacts } }).request.from;
const deed = (story: SessionStory, key: string) =>
  (story.owed.find((one) => one.key === key) as unknown as { input: DeedFacts }).input;

describe('a task that is left alone', () => {
  test('asks, works, tells the model what came of it, and ends with its last word [R501, R506, R510, R511]', () => {
    const story = judging(1).judges(safe('call-1')).ends('call-1');
    expect(story.live.pending).toEqual([
      { type: 'output', callId: 'theirs-1', custom: false, output: text('output of call-1') },
    ]);
    expect(facts(story)).toEqual({ turn: 2, attempt: 1, head: 0, pending: 1, compacts: false });
    story.answers(0);
    expect(story.types.slice(-4)).toEqual(['MessageSaid', 'ResponseReceived', 'TurnEnded', 'TaskEnded']);
    expect(story.last('TaskEnded')).toEqual({
      id: 's2',
      type: 'TaskEnded',
      responseId: 'resp-2',
      message: text('words'),
    });
    expect(story.live.nodes.map(({ parent }) => parent)).toEqual([null, 0]);
    expect(story.keys).toEqual([]);
  });

  test('names its response in the end of each turn, and the session keeps it [R513, R514]', () => {
    const story = judging(1).judges(answer('call-1'));
    expect(story.last('TurnEnded')).toMatchObject({ responseId: 'resp-1', turn: 1 });
    story.answers(0);
    expect(story.last('TurnEnded')).toMatchObject({ responseId: 'resp-2', turn: 2 });
    expect([...story.live.byResponse]).toEqual([
      ['resp-1', 0],
      ['resp-2', 1],
    ]);
  });

  test('goes on from any earlier response, known here or to the provider alone [R507, R515]', () => {
    const story = asking().answers(0).input().answers(0).input('resp-1');
    expect(facts(story)).toMatchObject({ head: 0, pending: 1 });
    story.answers(0);
    expect(story.live.nodes.at(-1)).toMatchObject({ parent: 0, origin: null });
    story.input('resp-elsewhere').answers(0);
    expect(story.live.nodes.at(-1)).toMatchObject({ parent: null, origin: 'resp-elsewhere' });
    story.input().answers(0);
    expect(story.live.nodes.at(-1)).toMatchObject({ parent: 3, origin: null });
  });
});

describe('a task', () => {
  test('that new input finds running is ended first, and what was said stays said [R499, R502]', () => {
    const story = asking();
    expect(story.since((one) => one.input(null, COST))).toEqual(['TaskFailed', 'TaskStarted']);
    expect(story.last('TaskFailed')).toMatchObject({ id: 's2', code: 'INTERRUPTED', usage: COST });
    expect(story.live.pending).toHaveLength(2);
    expect(story.keys).toEqual(['turn-2']);
    expect(story.row.tokens).toBe(7);
  });

  test('is ended by setting the session up anew, and the next one works as it says [R497, R498]', () => {
    const story = judging().judges(safe('call-1'), risky('call-2'));
    const since = story.since((one) => one.configure({ model: 'other', approval: 'never' }));
    expect(since).toEqual(['CallLost', 'ApprovalResolved', 'TaskFailed', 'SessionConfigured']);
    expect(story.keys).toEqual([]);
    story.input().answers(1).judges(risky('call-3'));
    expect(story.stage).toBe('working');
    expect(story.keys).toEqual(['call-3']);
  });

  test('ends with a fatal failure, and the next one is told what the failed one was not answered [R504]', () => {
    const story = asking().fails('auth').input();
    expect(story.last('TaskFailed')).toMatchObject({ code: 'MODEL_FAILED', message: 'so' });
    expect(facts(story)).toMatchObject({ pending: 2 });
    story.answers(0);
    expect(story.live.nodes[0]?.input).toHaveLength(2);
  });

  test('can be begun after a shutdown, which a second shutdown does not change', () => {
    const story = asking().shutdown();
    expect(story.row).toMatchObject({ status: 'closed', owes: false });
    expect(story.since((one) => one.shutdown())).toEqual([]);
    expect(story.input().row.status).toBe('running');
  });
});

describe('an interrupt [R503]', () => {
  test('that comes after the answer counts nothing a second time, and of a later ask nothing of an earlier one', () => {
    const story = asking();
    const read = story.openAsk();
    story.answers(1, {}, COST).interrupt(COST, read);
    expect(story.row).toMatchObject({ tokens: 7, costMicroUsd: 5, handoffs: 1 });
    const again = asking().loses('turn-1', COST).interrupt(COST, read);
    expect(again.row).toMatchObject({ tokens: 7, costMicroUsd: 5 });
    const next = asking().answers(1, {}, COST).input(null, COST);
    expect(next.row).toMatchObject({ tokens: 7, costMicroUsd: 5 });
  });

  const STAGES: Readonly<Record<string, readonly [() => SessionStory, readonly string[], readonly string[]]>> = {
    asking: [() => asking(), [], ['items']],
    pausing: [() => asking().fails('network'), [], ['items']],
    judging: [() => judging(), [], []],
    working: [() => judging().judges(safe('call-1'), answer('call-2')), ['CallLost'], ['theirs-1', 'theirs-2']],
    waiting: [() => judging(1).judges(risky('call-1')), ['ApprovalResolved'], ['theirs-1']],
    'behind a question': [
      () => judging().judges(risky('call-1', 'patch'), safe('call-2')),
      ...([['ApprovalResolved'], ['theirs-1']] as const),
    ],
    compacting: [() => asking().answers(0, FULL).input(), [], ['items']],
  };
  test.each(Object.entries(STAGES))('while it is %s ends the task, and nothing is owed', (_, [way, left, told]) => {
    const story = way();
    expect(story.since((one) => one.interrupt())).toEqual([...left, 'TaskFailed']);
    expect(story.keys).toEqual([]);
    expect(outputs(story)).toEqual(told);
    expect(story.refused({ type: 'Interrupt', sub: 'x', atMs: 1, used: NO_USAGE })).toBe('NO_TASK');
    expect(story.input('resp-1').answers(0).row.status).toBe('idle');
    expect(brokenPromises(story.events)).toEqual([]);
  });

  test('makes what comes back late count for nothing', () => {
    const story = judging().judges(safe('call-1'), safe('call-2')).interrupt().input();
    expect(story.since((one) => one.ends('call-1').loses('call-2').loses('turn-1'))).toEqual([]);
    expect(story.keys).toEqual(['turn-2']);
  });

  test('of a call that waits does not tell the model that somebody said no', () => {
    const story = judging(1).judges(risky('call-1')).interrupt();
    const [output] = story.live.pending;
    expect(JSON.stringify(output)).not.toContain('does not want');
  });
});

describe('a call that a person decides about [R505, R509]', () => {
  const waiting = (kind: 'exec' | 'patch' | 'mcp' = 'exec') => judging(1).judges(risky('call-1', kind));

  test('is asked for with its hash, and begins as exactly that', () => {
    const story = waiting();
    expect(story.last('ApprovalAsked')).toMatchObject({ call: 'call-1', hash: 'call-1 inside', where: 'inside' });
    expect(story.row).toMatchObject({ status: 'waiting', waitingFor: 'exec_approval', owes: true });
    expect(story.told(notified('call-1')).row.owes).toBe(false);
    expect(story.since((one) => one.approve('call-1'))).toEqual(['ApprovalResolved', 'CallBegun']);
    expect(deed(story, 'call-1')).toMatchObject({ hash: 'call-1 inside', plan: text('plan of call-1') });
    expect(story.refused(story.approval('call-1'))).toBe('APPROVAL_CLOSED');
  });

  test('that is denied is told so, and the task goes on', () => {
    const story = waiting().approve('call-1', 'denied');
    expect(story.stage).toBe('asking');
    expect(story.live.pending).toMatchObject([{ output: { words: 'The user does not want this done.' } }]);
  });

  test('that is denied with a word of advice brings the model that word', () => {
    const story = waiting();
    story.told({ ...story.approval('call-1', 'denied'), guidance: 'use ls' } as SessionCommand);
    expect(JSON.stringify(story.live.pending)).toContain('They say: use ls');
    expect(story.last('ApprovalResolved')).toMatchObject({ decision: 'denied', guidance: 'use ls' });
  });

  test('that is allowed for the session is not asked for again, also after a snapshot', () => {
    const story = waiting().approve('call-1', 'approved_for_session').ends('call-1').answers(1);
    const same = { ...risky('call-2'), hashes: { inside: 'call-1 inside', outside: 'o' } } as ReturnType<typeof risky>;
    expect(story.since((one) => one.judges(same))).toEqual(['CallsJudged', 'CallBegun']);
  });

  test('that aborts ends the task, and withdraws the other questions', () => {
    const story = judging(3).judges(risky('call-1'), risky('call-2'), safe('call-3'));
    const since = story.since((one) => one.approve('call-2', 'abort'));
    expect(since).toEqual(['ApprovalResolved', 'ApprovalResolved', 'CallLost', 'TaskFailed']);
    expect(brokenPromises(story.events)).toEqual([]);
  });

  test.each([
    ['call-1', 'patch', 'APPROVAL_NOT_FOUND'],
    ['call-2', 'exec', 'APPROVAL_NOT_FOUND'],
    ['theirs-1', 'exec', 'APPROVAL_NOT_FOUND'],
    ['call-01', 'exec', 'APPROVAL_NOT_FOUND'],
    ['', 'exec', 'APPROVAL_NOT_FOUND'],
  ] as const)('is not met by an answer to %j of the kind %s', (call, kind, code) => {
    const story = waiting();
    expect(story.refused(story.approval(call, 'approved', kind))).toBe(code);
  });

  test('of a patch is answered as a patch, of a tool of a server as a command', () => {
    expect(waiting('patch').row.waitingFor).toBe('patch_approval');
    expect(waiting('patch').approve('call-1', 'approved', 'patch').keys).toEqual(['call-1']);
    expect(waiting('mcp').approve('call-1').keys).toEqual(['call-1']);
  });

  test('is not met by an answer after its task, nor by one to an old name', () => {
    const story = waiting().interrupt();
    expect(story.refused(story.approval('call-1'))).toBe('APPROVAL_CLOSED');
    const again = waiting().approve('call-1').loses('call-1');
    expect(again.refused(again.approval('call-1'))).toBe('APPROVAL_CLOSED');
    expect(again.approve('call-2').keys).toEqual(['call-2']);
  });
});

describe('calls side by side', () => {
  test('are done at once, at most eight, and the others follow', () => {
    const names = Array.from({ length: 64 }, (_, index) => `call-${index + 1}`);
    const story = judging(64).judges(...names.map((name) => safe(name)));
    expect(story.keys).toEqual(names.slice(0, 8));
    story.ends('call-3');
    expect(story.keys).toHaveLength(8);
    expect(story.keys).toContain('call-9');
    for (const name of names) if (name !== 'call-3') story.ends(name);
    expect(outputs(story)).toEqual(names.map((_, index) => `theirs-${index + 1}`));
    expect(brokenPromises(story.events)).toEqual([]);
  });

  test('wait for a patch that was named before them, and the patch for those before it', () => {
    const story = judging(3).judges(safe('call-1'), safe('call-2', 'patch'), safe('call-3'));
    expect(story.keys).toEqual(['call-1']);
    expect(story.ends('call-1').keys).toEqual(['call-2']);
    expect(story.ends('call-2').keys).toEqual(['call-3']);
    expect(story.ends('call-3').stage).toBe('asking');
  });

  test('behind a question wait for its answer, and nobody owns the session meanwhile', () => {
    const story = judging().judges(risky('call-1', 'patch'), safe('call-2')).told(notified('call-1'));
    expect(story.row).toMatchObject({ status: 'waiting', owes: false });
    expect(story.approve('call-1', 'denied', 'patch').keys).toEqual(['call-2']);
  });

  test('that get a new name keep their place: a patch behind them still waits', () => {
    const story = judging(2, { approval: 'on-failure' }).judges(safe('call-1'), safe('call-2', 'patch'));
    story.ends('call-1', { isDenied: true });
    expect(story.keys).toEqual(['notice-call-3']);
    story.approve('call-3');
    expect(story.keys).toEqual(['call-3']);
    story.ends('call-3').ends('call-2');
    expect(outputs(story)).toEqual(['theirs-1', 'theirs-2']);
    expect(brokenPromises(story.events)).toEqual([]);
  });

  test('that nobody has judged are told as not done, and what nobody asked for is not looked at', () => {
    const story = judging().judges(safe('call-1'), safe('call-9')).ends('call-1');
    expect(story.live.pending[1]).toMatchObject({ output: { words: 'Not done: it could not be judged.' } });
  });

  test('with the same name of the model are told apart', () => {
    const said = [1, 2].map(() => ({ type: 'call', callId: 'same', tool: 't', custom: false }) as const);
    const story = asking().answers(0, { said }).judges(safe('call-1'), safe('call-2'));
    expect(story.ends('call-2').ends('call-1').live.pending).toMatchObject([
      { callId: 'same', output: text('output of call-1') },
      { callId: 'same', output: text('output of call-2') },
    ]);
  });
});

describe('a call that fails inside of the sandbox', () => {
  const denied = () => judging(1, { approval: 'on-failure' }).judges(safe('call-1')).ends('call-1', { isDenied: true });

  test('is put before a person to be done outside, under a new name and another hash', () => {
    const story = denied();
    expect(story.last('CallRenamed')).toMatchObject({ call: 'call-1', to: 'call-2' });
    expect(story.last('ApprovalAsked')).toMatchObject({ hash: 'call-1 outside', where: 'outside', again: 'denied' });
    story.approve('call-2');
    expect(deed(story, 'call-2')).toMatchObject({ where: 'outside', hash: 'call-1 outside' });
    expect(story.ends('call-2', { isDenied: true }).stage).toBe('asking');
  });

  test('is told as it failed when it may not, with what the person says to it', () => {
    const story = denied();
    story.told({ ...story.approval('call-2', 'denied'), guidance: 'ask the proxy' } as SessionCommand);
    const after = 'The user does not want it tried outside of the sandbox. They say: ask the proxy';
    expect(story.live.pending).toMatchObject([{ output: { ...text('output of call-1'), after } }]);
  });

  test('begins outside at once when a person had allowed just that for the whole session', () => {
    const story = denied().approve('call-2', 'approved_for_session').ends('call-2').answers(1);
    const hashes = { inside: 'call-1 inside', outside: 'call-1 outside' };
    story.judges({ ...safe('call-3'), hashes } as ReturnType<typeof safe>);
    expect(deed(story, 'call-3')).toMatchObject({ where: 'outside', hash: 'call-1 outside' });
  });

  test('is only told so under every other policy', () => {
    expect(judging(1).judges(safe('call-1')).ends('call-1', { isDenied: true }).stage).toBe('asking');
  });
});

describe('a call that was allowed', () => {
  test('is begun by the owner alone: whoever takes the session over finds it not begun, and nothing is lost', () => {
    const story = judging(1).judges(risky('call-1'));
    expect(story.since((one) => one.told(one.approval('call-1')))).toEqual(['ApprovalResolved']);
    expect(story.owed).toEqual([{ type: 'Wake', key: 'begin-call-1', atMs: 0 }]);
    expect(story.row).toMatchObject({ status: 'running', owes: true });
    expect(story.since((one) => one.loses('call-1'))).toEqual([]);
    expect(story.since((one) => one.begins())).toEqual(['CallBegun']);
    expect(story.keys).toEqual(['call-1']);
  });

  test('beside another question is begun, and a patch behind a denied one is begun by the owner too', () => {
    const two = judging(2).judges(risky('call-1'), risky('call-2'));
    two.told(two.approval('call-2'));
    expect(two.row).toMatchObject({ status: 'running', owes: true });
    expect(two.begins().keys).toEqual(['notice-call-1', 'call-2']);
    const patch = judging(2).judges(risky('call-1'), safe('call-2', 'patch'));
    expect(patch.since((one) => one.told(one.approval('call-1', 'denied')))).toEqual([
      'ApprovalResolved',
      'CallAnswered',
    ]);
    expect(patch.begins().keys).toEqual(['call-2']);
  });
});

describe('a call whose process died', () => {
  test('is told as unknown when it ran by itself', () => {
    const story = judging(1).judges(safe('call-1')).loses('call-1');
    expect(story.stage).toBe('asking');
    expect(JSON.stringify(story.live.pending)).toContain('What came of it is not known');
  });

  test('is put before a person again when a person had allowed it, and never runs twice under one name', () => {
    const story = judging(1).judges(risky('call-1')).approve('call-1').loses('call-1');
    expect(story.last('ApprovalAsked')).toMatchObject({ call: 'call-2', again: 'unknown', hash: 'call-1 inside' });
    expect(JSON.stringify(story.approve('call-2', 'denied').live.pending)).toContain('The user does not want');
  });

  test('is begun again when it is a patch', () => {
    const story = judging(1).judges(safe('call-1', 'patch'));
    expect(story.since((one) => one.loses('call-1'))).toEqual([]);
    expect(story.keys).toEqual(['call-1']);
  });
});

describe('a patch that is called off while it is written', () => {
  const writing = () => judging(1).judges(safe('call-1', 'patch'));
  const settled: SessionCommand = { type: 'Performed', atMs: 1_000, key: 'settle-call-1', result: {} };

  test('is owed its end, also by whoever takes the session over, before anything else begins', () => {
    const story = writing();
    const whole = deed(story, 'call-1');
    expect(story.since((one) => one.interrupt())).toEqual(['CallLost', 'TaskFailed']);
    expect(story.owed).toEqual([{ type: 'Perform', key: 'settle-call-1', deed: 'session.settle', input: whole }]);
    expect(story.row).toMatchObject({ status: 'idle', owes: true });
    const elsewhere = story.configure({ cwd: '/elsewhere' }).input();
    expect(elsewhere.keys).toEqual(['settle-call-1']);
    expect(deed(elsewhere, 'settle-call-1')).toEqual(whole);
    expect(elsewhere.loses('settle-call-1').keys).toEqual(['settle-call-1']);
    expect(elsewhere.since((one) => one.told(settled))).toEqual(['PatchSettled']);
    expect(elsewhere.keys).toEqual(['turn-2']);
    expect(elsewhere.told(settled).keys).toEqual(['turn-2']);
    expect(brokenPromises(elsewhere.events)).toEqual([]);
  });

  test('is settled in a session that is closed, and in one that is read from a snapshot', () => {
    const story = writing().shutdown();
    const { snapshot } = sessionDecider;
    const again = snapshot?.decode(JSON.parse(JSON.stringify(snapshot.encode(story.run)))) as typeof story.run;
    expect([...sessionDecider.outstanding(again)].map(({ key }) => key)).toEqual(['settle-call-1']);
    expect(story.told(settled).row).toMatchObject({ status: 'closed', owes: false });
  });

  test('by an earlier build is left as it is: nobody knows what was done with the files since', () => {
    const story = writing();
    const lost = { id: 's2', type: 'CallLost', call: 'call-1', kind: 'patch', why: 'interrupted' } as const;
    story.run = sessionDecider.evolve(story.run, lost);
    expect(story.live.unsettled).toEqual([]);
  });
});

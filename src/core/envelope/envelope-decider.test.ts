import { describe, expect, test } from 'vitest';
import { NO_USAGE } from '../kernel/effect.js';
import { envelopeDecider } from './envelope-decider.js';
import type { ReadFacts } from './envelope-effects.js';
import type { EnvelopeCommand, EnvelopeEvent, EnvelopeOrder, Pace } from './envelope-messages.js';
import type { EnvelopeRun, LiveEnvelope } from './envelope-state.js';
import type { DueStage, Moved, Standing } from './standing.js';

const BODY = { sha256: 'ab', bytes: 2 };
const USAGE = { inputTokens: 10, outputTokens: 5, costMicroUsd: 100 };
const ORDER: EnvelopeOrder = {
  ...{ pipeline: { name: 'p', document: BODY }, agent: 'a', repository: { folder: '/r', named: true }, project: 'r' },
  ...{ env: [], network: [], limits: {} },
};
const due = (stage: string, agent: string | null = null): DueStage => ({ stage, by: { agent } });

function moved(hash: string, change: Partial<Standing> = {}): Moved {
  return {
    ...{ document: BODY, hash },
    progress: { due: [], waiting: [], ran: [], fires: 0, asked: null, confirmed: null },
    standing: {
      ...{ due: [due('one')], hopsLeft: 9, callsLeft: 9, waits: null, ended: null, sentence: null, title: 'T' },
      figures: { iteration: 0, calls: 0, hops: 0, stageNumber: 1, goalsLeft: 0, goals: 0 },
      ...change,
    },
  };
}

class Sent {
  run: EnvelopeRun = envelopeDecider.initialState();
  readonly events: EnvelopeEvent[] = [];
  atMs = 1_000;

  constructor(change: Partial<Standing> = {}, pace: Pace = 'process') {
    const sent = { document: BODY, hash: 's' };
    this.give({ type: 'Receive', order: ORDER, sent, moved: moved('v', change), on: null, pace });
  }

  give(command: object): string[] {
    const decision = envelopeDecider.decide(this.run, { atMs: this.atMs, ...command } as EnvelopeCommand);
    if ('refusal' in decision) return [decision.refusal.code];
    for (const event of decision.events) this.run = envelopeDecider.evolve(this.run, event);
    this.events.push(...decision.events);
    return decision.events.map(({ type }) => type);
  }

  failing(failure: string, more: object = {}): string[] {
    return this.give({ type: 'Failed', key: 'h1', failure, reason: 'why', usage: USAGE, ...more });
  }

  get live(): LiveEnvelope {
    return this.run as LiveEnvelope;
  }

  get phases(): string[] {
    return this.live.wave?.stages.map(({ stage, phase }) => `${stage} ${phase.name}`) ?? [];
  }

  get asks(): { key: string; agent: string; mayRepair: boolean | undefined }[] {
    return [...envelopeDecider.outstanding(this.run)].flatMap((effect) =>
      effect.type === 'Ask'
        ? [
            {
              key: effect.key,
              agent: effect.agent,
              mayRepair: (effect.reading?.from as ReadFacts | undefined)?.mayRepair,
            },
          ]
        : [],
    );
  }
}

const admit = (key: string, attempt = 1) => ({ type: 'Admitted', key: `admit-${key}-${attempt}` });
const asking = (): Sent => {
  const sent = new Sent();
  sent.give(admit('h1'));
  return sent;
};

describe('an ask that nobody answers', () => {
  test.each([
    ['network', 3],
    ['crash', 1],
  ])('%s is repeated %i times, with pauses between, then the stage has failed', (failure, retries) => {
    const sent = asking();
    for (let attempt = 1; attempt <= retries; attempt += 1) {
      expect(sent.failing(failure)).toEqual(['HandoffEnded']);
      expect(sent.phases).toEqual(['one pausing']);
      sent.atMs += 60_000;
      sent.give({ type: 'Woke', key: `pause-h1-${attempt}` });
      sent.give(admit('h1', attempt + 1));
    }
    expect(sent.failing(failure)).toEqual(['HandoffEnded', 'StageEnded']);
    expect(sent.live.wave?.stages[0]?.phase).toMatchObject({ end: { error: { recoverable: true }, llmCalls: 0 } });
  });

  test.each([
    ['timeout', 'AgentTimeout', true],
    ['auth', 'AgentError', false],
    ['not-found', 'AgentNotFound', false],
    ['refused', 'AgentError', false],
  ])('%s fails the stage at once', (failure, error_type, recoverable) => {
    const sent = asking();
    expect(sent.failing(failure)).toEqual(['HandoffEnded', 'StageEnded']);
    const error = { error_type, recoverable, message: 'a: why', details: { agent: 'a', failure } };
    expect(sent.live.wave?.stages[0]?.phase).toMatchObject({ end: { type: 'error', error } });
  });

  test('at a limit waits as long as the provider says, and that uses up no retry', () => {
    const sent = asking();
    for (const _ of [1, 2, 3, 4, 5]) {
      const { attempt = 0 } = sent.live.wave?.stages[0] ?? {};
      expect(sent.failing('limit', { retryAfterMs: 5_000 })).toEqual(['HandoffEnded']);
      expect(sent.give({ type: 'Woke', key: `pause-h1-${attempt}` })).toEqual([]);
      sent.atMs += 5_000;
      expect(sent.give({ type: 'Woke', key: `pause-h1-${attempt}` })).toEqual(['PauseEnded']);
      sent.give(admit('h1', attempt + 1));
    }
    expect(sent.failing('network')).toEqual(['HandoffEnded']);
  });

  test('without a login queues again at once: the lane opens when somebody has logged in', () => {
    const sent = asking();
    sent.failing('login');
    expect(sent.phases).toEqual(['one queued']);
  });

  test('that is lost is asked again, and costs no call', () => {
    const sent = asking();
    expect(sent.give({ type: 'Lost', key: 'h1', usage: USAGE })).toEqual(['HandoffEnded']);
    expect(sent.phases).toEqual(['one queued']);
    expect(sent.live.wave?.stages[0]).toMatchObject({ llmCalls: 0, attempt: 1 });
  });

  test('but for something it may not do has failed', () => {
    const sent = asking();
    const wanted = { kind: 'exec', what: 'rm', cwd: '/', why: null, hash: 'h' };
    sent.give({ type: 'Asks', key: 'h1', usage: USAGE, wanted });
    expect(sent.live.wave?.stages[0]?.phase).toMatchObject({ end: { error: { recoverable: false } } });
  });
});

describe('an answer that does not hold', () => {
  const REPAIR = { problem: '/x is missing', violation: null, reported: null, end: null, moved: null };

  test('is asked for once more, with what is wrong with it, and counts', () => {
    const sent = asking();
    expect(sent.asks).toMatchObject([{ mayRepair: true }]);
    sent.give({ type: 'Answered', key: 'h1', answer: BODY, usage: USAGE, reading: REPAIR });
    sent.give(admit('h2'));
    expect(sent.asks).toMatchObject([{ mayRepair: false }]);
    const repair = { problem: '/x is missing', answer: BODY };
    expect([...envelopeDecider.outstanding(sent.run)]).toMatchObject([{ key: 'h2', request: { from: { repair } } }]);
    expect(sent.live.wave?.stages[0]?.llmCalls).toBe(1);
  });
});

const both = (change: Partial<Standing> = {}, pace?: Pace): Sent =>
  new Sent({ due: [due('one'), due('two', 'b')], ...change }, pace);

describe('stages that are due together', () => {
  test('begin together, each with its agent', () => {
    const sent = both();
    sent.give(admit('h1'));
    sent.give(admit('h2'));
    expect(sent.asks).toMatchObject([
      { key: 'h1', agent: 'a' },
      { key: 'h2', agent: 'b' },
    ]);
  });

  test.each([
    [{ hopsLeft: 1 }, 'process'],
    [{ callsLeft: 1 }, 'process'],
    [{}, 'step'],
  ] as const)('begin one by one where there is room for one: %j %s', (change, pace) => {
    expect(both(change, pace).phases).toEqual(['one queued']);
  });

  test('share one place of an agent that answers both', () => {
    const sent = new Sent({ due: [due('one'), due('two')] });
    expect([...envelopeDecider.outstanding(sent.run)].map(({ key }) => key)).toEqual(['admit-h1-1']);
    sent.give(admit('h1'));
    expect(sent.phases).toEqual(['one asking', 'two asking']);
  });

  test.each([
    [2, [false, false]],
    [3, [true, false]],
    [4, [true, true]],
  ])('may be asked again with the calls that are left over: %i', (callsLeft, mayRepair) => {
    const sent = both({ callsLeft });
    sent.give(admit('h1'));
    sent.give(admit('h2'));
    expect(sent.asks.map((ask) => ask.mayRepair)).toEqual(mayRepair);
  });

  test('wait for their agent and their budget each on their own', () => {
    const sent = both();
    const parked = (key: string) => ({ type: 'Parked', key: `admit-${key}-1`, reason: 'budget', untilMs: 9_000 });
    sent.give(parked('h1'));
    sent.give(parked('h2'));
    expect(sent.give({ type: 'Afforded', key: 'afford-h2-0' })).toEqual(['HandoffUnparked']);
    expect(sent.phases).toEqual(['one parked', 'two queued']);
  });

  test('of one agent are not let in by what was said to the second of them', () => {
    const sent = new Sent({ due: [due('one'), due('two')] });
    expect(sent.give(admit('h2'))).toEqual([]);
  });
});

describe('stages at work together', () => {
  test('rest together when one has ended and the other pauses', () => {
    const sent = both();
    sent.give(admit('h1'));
    sent.give(admit('h2'));
    sent.failing('auth');
    sent.failing('network', { key: 'h2' });
    expect(sent.phases).toEqual(['one over', 'two pausing']);
    expect(envelopeDecider.summary(sent.run)).toMatchObject({ owes: false, wakeAtMs: expect.any(Number) });
  });

  test('are applied once all of them have ended, and not before', () => {
    const sent = both();
    sent.give(admit('h1'));
    sent.give(admit('h2'));
    sent.failing('auth');
    const apply = { type: 'Performed', key: 'apply-1', result: moved('n') };
    expect(sent.give(apply)).toEqual([]);
    sent.failing('auth', { key: 'h2' });
    expect(sent.give(apply)).toEqual(['EnvelopeMoved', 'StagesStarted']);
    expect(sent.give(apply)).toEqual([]);
  });
});

describe('whoever sends it again', () => {
  const go = (more: object, pace: Pace = 'process') => ({ type: 'Go', more, pace, on: 'v' });

  test('with another agent leaves to that one what was left to an agent, and nothing that is bound', () => {
    const sent = new Sent({ due: [due('one'), due('two', 'a')] }, 'rest');
    sent.give(go({ agent: 'b' }));
    const by = sent.live.wave?.stages.map((run) => run.by);
    expect(by).toEqual([{ agent: 'b' }, { agent: 'a' }]);
  });

  test('while a stage is at work has the next one left to the new agent', () => {
    const sent = new Sent({}, 'step');
    expect(sent.give(go({ agent: 'b' }))).toEqual(['EnvelopeResumed']);
    sent.give(admit('h1'));
    sent.failing('auth');
    sent.give({ type: 'Performed', key: 'apply-1', result: moved('n') });
    expect(sent.live.wave?.stages[0]?.by).toEqual({ agent: 'b' });
  });
});

describe('what it costs', () => {
  test('is added up, and what an agent reports counts where nothing was metered', () => {
    const sent = asking();
    sent.atMs += 500;
    sent.failing('network');
    expect(sent.live.spent).toMatchObject({ asks: 1, tokens: 15, costMicroUsd: 100, activeMs: 500 });
    const reported = { ...USAGE, costMicroUsd: 7 };
    const reading = { problem: 'x', violation: null, reported, end: null, moved: null };
    for (const [usage, cost] of [
      [NO_USAGE, 7],
      [USAGE, 100],
    ] as const) {
      const other = asking();
      other.give({ type: 'Answered', key: 'h1', answer: BODY, usage, reading });
      expect(other.live.spent.costMicroUsd).toBe(cost);
    }
  });
});

test('questions open in the inbox and close with their answer, or when it is too late for one', () => {
  const waits = { kind: 'clarification', question: 'Which?', id: null } as const;
  const sent = new Sent({ due: [], waits });
  const inbox = () => sent.events.map((event) => envelopeDecider.inbox(event)).filter((change) => change !== undefined);
  expect(inbox()).toMatchObject([
    { open: { key: 'asked-1', kind: 'clarification', question: 'Which?', title: 'clarification' } },
  ]);
  const answer = { type: 'Receive', order: ORDER, sent: { document: BODY, hash: 't' }, on: 'v', pace: 'process' };
  sent.give({ ...answer, moved: moved('w') });
  expect(inbox()[1]).toEqual({ close: 'asked-1' });
  const late = new Sent({ due: [], waits });
  late.atMs += 25 * 3_600_000;
  expect(late.give({ ...answer, moved: moved('w') })).toEqual(['INTERRUPT_EXPIRED']);
  expect(late.give({ type: 'Woke', key: 'wait-1' })).toEqual(['InterruptExpired']);
});

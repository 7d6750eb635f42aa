import { describe, expect, test } from 'vitest';
import { brokenPromises } from '../../../test/simulation/session-promises.js';
import { NO_USAGE } from '../kernel/effect.js';
import type { DeedFacts, TurnFacts } from './session-effects.js';
import type { SessionCommand } from './session-messages.js';
import { answer, BODY, ORDER, SessionStory, safe, text } from './session-story.js';

const on = (change: Partial<typeof ORDER> = {}) => new SessionStory().configure(change);
const asking = (change: Partial<typeof ORDER> = {}) => on(change).input();
const FULL = { figures: { input: 900, cachedInput: 0, output: 1, reasoning: 0 } };
const COST = { inputTokens: 3, outputTokens: 4, costMicroUsd: 5 };
const facts = (story: SessionStory) => (story.owed[0] as unknown as { request: { from: TurnFacts } }).request.from;

describe('a model that does not answer', () => {
  test('is asked again after pauses that double, and given up in the end', () => {
    const story = asking();
    const pauses: number[] = [];
    for (let tries = 1; tries <= 5; tries += 1) {
      story.fails('network', { thread: 'a,b' });
      pauses.push(story.last('RetryPlanned').untilMs - story.nowMs);
      story.wakes();
      expect(story.last('TurnRestarted').itemIds).toEqual(['a', 'b']);
    }
    expect(pauses).toEqual([1_000, 2_000, 4_000, 8_000, 16_000]);
    expect(story.row.handoffs).toBe(5);
    story.fails('network');
    expect(story.last('TaskFailed')).toMatchObject({ code: 'MODEL_FAILED', message: 'so (given up after 6 tries)' });
    expect(story.input().answers(0).row.status).toBe('idle');
  });

  test('is waited for as long as the provider says, but not for long', () => {
    const story = asking().fails('limit', { retryAfterMs: 5_000 });
    expect(story.last('RetryPlanned').untilMs).toBe(story.nowMs + 5_000);
    expect(asking().fails('limit', { retryAfterMs: 600_000 }).last('TaskFailed').message).toContain('600 s');
  });

  test('and died with its process is asked again at once, and what it cost is counted', () => {
    const story = asking().loses('turn-1', COST);
    expect(facts(story)).toMatchObject({ turn: 1, attempt: 2, pending: 1 });
    expect(story.row).toMatchObject({ tokens: 7, costMicroUsd: 5, handoffs: 1 });
  });
});

describe('a thread that does not fit', () => {
  test('is summarised before the next input is asked', () => {
    const story = asking().answers(0, FULL).input();
    expect(facts(story)).toMatchObject({ compacts: true, pending: 1 });
    story.answers(0);
    expect(story.last('Compacted').summary).toEqual(text('words'));
    expect(facts(story)).toMatchObject({ compacts: false, pending: 1, head: 1 });
    expect(story.live.nodes[1]).toMatchObject({ parent: null, input: [{ type: 'items', items: text('words') }] });
    expect(story.answers(0).row.status).toBe('idle');
  });

  test('is summarised by order when nothing runs and there is something', () => {
    const compact: SessionCommand = { type: 'Compact', sub: 'x', atMs: 1 };
    expect(on().refused(compact)).toBe('INVALID_TRANSITION');
    expect(asking().refused(compact)).toBe('INVALID_TRANSITION');
    const story = asking().answers(0).compact().fails('network').wakes();
    expect(facts(story)).toMatchObject({ compacts: true });
    expect(story.since((one) => one.answers(0))).toEqual(['Compacted', 'TaskEnded']);
  });

  test('is summarised when the model says that it is full, once; then the task ends', () => {
    const story = asking().answers(0).input().reads({ type: 'context-full' });
    expect(facts(story).compacts).toBe(true);
    story.answers(0).reads({ type: 'context-full' });
    expect(story.last('TaskFailed').code).toBe('CONTEXT_FULL');
    expect(asking().reads({ type: 'context-full' }).last('TaskFailed').code).toBe('CONTEXT_FULL');
  });

  test('is paid for also by the ask that found it full', () => {
    const story = asking().answers(0).input().reads({ type: 'context-full' }, COST);
    expect(story.row).toMatchObject({ tokens: 7, costMicroUsd: 5, handoffs: 2 });
  });

  test('of which no summary comes ends the task, and what was said stays', () => {
    const story = asking().answers(0, FULL).input().answers(0, { said: [] });
    expect(story.last('TaskFailed').code).toBe('MODEL_FAILED');
    expect(story.live.pending).toHaveLength(1);
  });

  test('is not taken for full once another thread was put in its place', () => {
    const story = asking().answers(0, FULL);
    const thread = { nodes: BODY, count: 3, responseId: 'other', outcome: [] };
    story.told({ type: 'Configure', sub: 'x', atMs: 1, order: ORDER, thread, used: NO_USAGE }).input();
    expect(facts(story)).toMatchObject({ compacts: false, head: 1 });
  });
});

describe('what a provider refuses for good', () => {
  const REFUSED = { type: 'refused', reason: 'no pictures here' } as const;
  const pending = (story: SessionStory) => story.live.pending.map(({ type }) => type);

  test('is left out of what is sent from then on, so that the next input is answered, and that is said', () => {
    for (const [reading, code, why] of [
      [{ type: 'context-full' }, 'CONTEXT_FULL', 'full'],
      [REFUSED, 'MODEL_FAILED', 'refused'],
    ] as const) {
      const story = asking();
      expect(story.since((one) => one.reads(reading))).toEqual(['InputLeftOut', 'TaskFailed']);
      expect(story.last('TaskFailed').code).toBe(code);
      expect(story.last('InputLeftOut')).toMatchObject({ why, words: expect.stringContaining('an input') });
      expect(story.live.entries, 'what was said stays in the history').toHaveLength(1);
      story.input();
      expect(story.live.pending).toEqual([
        { type: 'left-out', inputs: 1, why },
        { type: 'items', items: text('items of s3') },
      ]);
      story.reads(reading).input().answers(0);
      expect(story.live.nodes[0]?.input).toMatchObject([{ type: 'left-out', inputs: 2 }, { type: 'items' }]);
      expect(brokenPromises(story.events)).toEqual([]);
    }
  });

  test('may be what came of a call: whoever goes on from that response does not send it again', () => {
    const story = asking().answers(2, { responseId: 'first' }).judges(safe('call-1'), answer('call-2')).ends('call-1');
    story.reads(REFUSED);
    const [big, short] = story.live.pending;
    expect(big).toMatchObject({ callId: 'theirs-1', output: { words: expect.stringContaining('left out') } });
    expect(short).toMatchObject({ callId: 'theirs-2', output: { words: 'answer to call-2' } });
    const left = story.live.pending.slice(0, 2);
    expect(story.input('first').live.pending.slice(0, 2)).toEqual(left);
    expect(brokenPromises(story.events)).toEqual([]);
  });

  test('is shortened more and more when it is a thread that is to be summarised', () => {
    const story = asking().answers(0).input().reads({ type: 'context-full' });
    expect(facts(story)).toMatchObject({ compacts: true, harder: 1 });
    story.fails('network').wakes();
    expect(facts(story), 'also when it is asked again').toMatchObject({ compacts: true, harder: 1 });
    story.reads({ type: 'context-full' }).reads({ type: 'context-full' });
    expect(facts(story)).toMatchObject({ compacts: true, harder: 3 });
    story.reads({ type: 'context-full' });
    expect(story.last('TaskFailed').code).toBe('CONTEXT_FULL');
    expect(pending(story)).toEqual(['left-out']);
    expect(brokenPromises(story.events)).toEqual([]);
  });

  test('makes the next summary a harder one, until the model answers again', () => {
    const story = asking().answers(0, FULL).input().reads(REFUSED);
    expect(facts(story.input())).toMatchObject({ compacts: true, harder: 1 });
    expect(facts(story.reads(REFUSED).compact())).toMatchObject({ compacts: true, harder: 2 });
    story.answers(0);
    expect(facts(story.compact())).not.toHaveProperty('harder');
  });
});

describe('a limit', () => {
  test.each([
    ['tokens', { tokens: 7 }],
    ['costMicroUsd', { costMicroUsd: 5 }],
    ['asks', { asks: 1 }],
    ['activeMs', { activeMs: 60 }],
  ] as const)('of %s that is reached ends the task before anything is done, and every later one', (_, limits) => {
    const story = asking({ limits });
    story.nowMs += 60;
    story.answers(1, {}, COST);
    expect(story.last('TaskFailed').code).toBe('LIMIT_REACHED');
    expect(story.since((one) => one.input())).toEqual(['TaskStarted', 'TaskFailed']);
    expect(story.configure().input().answers(0).row.status).toBe('idle');
  });

  test('of time is told to each call, counts the time of calls, and ends the task with the call that reaches it', () => {
    const story = asking({ limits: { activeMs: 60 } })
      .answers(1)
      .judges(safe('call-1'))
      .ends('call-1', { activeMs: 20 });
    expect(story.last('TurnEnded').deadlineMs).toBe(story.nowMs + 40);
    story.answers(1).judges(safe('call-2'));
    expect((story.owed[0] as unknown as { input: DeedFacts }).input.msMax).toBe(40);
    expect(story.since((one) => one.ends('call-2', { activeMs: 40 }))).toEqual([
      'CallEnded',
      'TurnEnded',
      'TaskFailed',
    ]);
    expect(story.last('TaskFailed').code).toBe('LIMIT_REACHED');
    const free = asking().answers(1).judges(safe('call-1'));
    expect((free.owed[0] as unknown as { input: DeedFacts }).input).not.toHaveProperty('msMax');
  });

  test('does not take the last word back', () => {
    expect(
      asking({ limits: { tokens: 7 } })
        .answers(0, {}, COST)
        .types.at(-1),
    ).toBe('TaskEnded');
  });

  test('is kept by retries and after losses', () => {
    const retried = asking({ limits: { tokens: 7 } })
      .fails('network', { usage: COST })
      .wakes();
    expect(retried.last('TaskFailed').code).toBe('LIMIT_REACHED');
    const lost = asking({ limits: { tokens: 7 } }).loses('turn-1', COST);
    expect(lost.last('TaskFailed').code).toBe('LIMIT_REACHED');
    expect(lost.row).toMatchObject({ tokens: 7, handoffs: 1 });
  });

  test('that is reached by what new input calls off is reached for that input', () => {
    const story = asking({ limits: { tokens: 7 } });
    expect(story.since((one) => one.input(null, COST))).toEqual(['TaskFailed', 'TaskStarted', 'TaskFailed']);
    expect(story.last('TaskFailed').code).toBe('LIMIT_REACHED');
  });

  test('that nears is said once', () => {
    const story = asking({ limits: { tokens: 8 } }).answers(1, {}, { ...NO_USAGE, inputTokens: 7 });
    story.judges(answer('call-1')).answers(0);
    expect(story.types.filter((type) => type === 'LimitNeared')).toHaveLength(1);
  });
});

describe('a response', () => {
  test('that breaks off, or asks for too much, is said to', () => {
    const codes = (story: SessionStory) =>
      story.events.flatMap((event) => (event.type === 'ResponseBounded' ? [event.code] : []));
    expect(codes(asking().answers(0))).toEqual([]);
    expect(codes(asking().answers(0, { isCut: true }))).toEqual(['ANSWER_CUT']);
    expect(codes(asking().answers(1, { callsLeftOut: 3 }))).toEqual(['CALLS_LEFT_OUT']);
  });

  test('that is gone on from brings what came of its calls [R564]', () => {
    const story = asking().answers(1, { responseId: 'first' });
    story.judges(answer('call-1')).answers(0, { responseId: 'second' });
    story.input('first');
    expect(story.live.head).toBe(0);
    expect(story.live.pending.map(({ type }) => type)).toEqual(['output', 'items']);
  });
});

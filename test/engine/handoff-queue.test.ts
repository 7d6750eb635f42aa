import { beforeEach, expect, test } from 'vitest';
import { NO_USAGE } from '../../src/core/kernel/effect.js';
import { HandoffQueue, type Offer } from '../../src/engine/handoffs/handoff-queue.js';
import { nodeIds } from '../../src/system/node-ids.js';
import { TestClock } from './test-clock.js';

const LONG_MS = 60_000;
const NEVER = new AbortController().signal;
const LOST = expect.objectContaining({ code: 'HANDOFF_LOST' });
const offered = (changes: Partial<Offer> = {}): Offer => ({
  run: 'j',
  handoff: 'h1',
  attempt: 1,
  agent: 'puller',
  labels: [],
  request: Buffer.from('{}'),
  deadlineMs: LONG_MS,
  ...changes,
});

let clock: TestClock;
let queue: HandoffQueue;
let said: string[];
beforeEach(() => {
  clock = new TestClock();
  said = [];
  queue = new HandoffQueue(clock, nodeIds, ({ handoff }, text) => said.push(`${handoff}: ${text}`));
});

const claim = (taker = {}) => queue.claim({ waitMs: 0, ...taker }, NEVER);
const tokenOf = async (taker = {}) => (await claim(taker))?.token ?? 'none';

test('who takes an offer answers it, once', async () => {
  const outcome = queue.offer(offered(), NEVER);
  const taken = await claim();
  expect(taken).toMatchObject({ run: 'j', handoff: 'h1', attempt: 1, leaseMs: 30_000 });
  expect(await claim(), 'nobody else has it').toBeUndefined();
  queue.tell(taken?.token ?? '', 'I look.');
  queue.answer(taken?.token ?? '', 'done');
  expect(await outcome).toEqual({ type: 'answered', text: 'done', usage: NO_USAGE });
  expect(said).toEqual(['h1: I look.']);
  expect(() => queue.answer(taken?.token ?? '', 'again')).toThrowError(LOST);
});

test('who is silent has lost it: the next one has it, and only that one is heard', async () => {
  const outcome = queue.offer(offered(), NEVER);
  void queue.offer(offered({ handoff: 'h2' }), NEVER);
  const first = await tokenOf();
  await clock.advance(29_000);
  queue.heartbeat(first);
  await clock.advance(29_000);
  queue.heartbeat(first);
  await clock.advance(30_001);
  for (const use of [
    () => queue.heartbeat(first),
    () => queue.tell(first, 'x'),
    () => queue.answer(first, 'x'),
    () => queue.fail(first, { failure: 'crash', reason: 'x' }),
  ])
    expect(use).toThrowError(LOST);
  const second = await claim();
  expect(second?.handoff, 'before younger ones').toBe('h1');
  queue.fail(second?.token ?? '', { failure: 'limit', reason: 'later', retryAfterMs: 5_000 });
  expect(await outcome).toEqual({
    type: 'failed',
    failure: 'limit',
    reason: 'later',
    retryAfterMs: 5_000,
    usage: NO_USAGE,
  });
});

test('a taker waits until there is something for it, or long enough', async () => {
  const waits = queue.claim({ waitMs: LONG_MS, agent: 'puller', labels: ['gpu'] }, NEVER);
  void queue.offer(offered({ agent: 'other' }), NEVER);
  void queue.offer(offered({ labels: ['arm'] }), NEVER);
  void queue.offer(offered({ handoff: 'h3', labels: ['gpu'] }), NEVER);
  expect((await waits)?.handoff).toBe('h3');
  const inVain = queue.claim({ waitMs: 1_000, agent: 'nobody' }, NEVER);
  await clock.advance(1_001);
  expect(await inVain).toBeUndefined();
  const stop = new AbortController();
  const stopped = queue.claim({ waitMs: LONG_MS, agent: 'nobody' }, stop.signal);
  stop.abort();
  expect(await stopped).toBeUndefined();
});

test('an offer that is called off is over for whoever has it, and for those to come', async () => {
  const stop = new AbortController();
  const outcome = queue.offer(offered(), stop.signal);
  const token = await tokenOf();
  stop.abort();
  expect(await outcome).toMatchObject({ type: 'failed', failure: 'timeout' });
  expect(() => queue.answer(token, 'late')).toThrowError(LOST);
  expect(await claim()).toBeUndefined();
});

test('what cannot be said of a handoff is refused, and whoever said it still has it', async () => {
  const outcome = queue.offer(offered(), NEVER);
  const token = await tokenOf({ waitMs: undefined });
  const refused = expect.objectContaining({ code: 'SCHEMA_INVALID' });
  expect(() => queue.answer(token, { action: 'COMPLETED' } as never)).toThrowError(refused);
  expect(() => queue.fail(token, { failure: 'spent' as never, reason: 'x' })).toThrowError(refused);
  expect(() => queue.fail(token, { failure: 'nonsense' as never, reason: 'x' })).toThrowError(refused);
  queue.fail(token, { failure: 'limit', reason: 'x'.repeat(10_000_000), retryAfterMs: Number.NaN });
  expect(await outcome).toEqual({ type: 'failed', failure: 'limit', reason: 'x'.repeat(2_000), usage: NO_USAGE });
});

test('a taker that names no time does not wait', async () => {
  expect(await queue.claim({}, NEVER)).toBeUndefined();
});

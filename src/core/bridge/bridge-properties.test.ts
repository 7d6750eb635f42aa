import fc from 'fast-check';
import { expect, test } from 'vitest';
import { NO_USAGE } from '../kernel/effect.js';
import { bridgeDecider } from './bridge-decider.js';
import type { BridgeCommand, BridgeEvent } from './bridge-messages.js';
import { type BridgeRun, type LiveBridge, NO_FILES } from './bridge-state.js';
import { BODY, FINE, ORDER, replied, request } from './bridge-story.js';

const IDS = ['r1', 'r2', 'r3', 'r4', 'r5'];
const id = fc.constantFrom(...IDS);
const ANSWERERS = [{ agent: 'alpha', isPerson: false }, { agent: 'anna', isPerson: true }, null];
const asked = fc
  .record({ id, fingerprint: fc.constantFrom('f1', 'f2', 'f3', 'f4'), answerer: fc.constantFrom(...ANSWERERS) })
  .map(({ id: request_id, ...change }) => request(request_id, change));
const handler = fc.constantFrom('m', 'n');
const failure = fc.constantFrom('crash', 'timeout', 'limit', 'login', 'not-found', 'network');

/** What is said of what is owed; `stale` says it of something that is not. */
type Step = { command: (atMs: number, key: string) => BridgeCommand };
const step = <Said>(said: fc.Arbitrary<Said>, command: (said: Said, atMs: number, key: string) => BridgeCommand) =>
  said.map((value): Step => ({ command: (atMs, key) => command(value, atMs, key) }));
const none = fc.constant(null);
/** Whatever is owed, this is a result of it. */
const ELSEWHERE = { type: 'elsewhere', problem: null };

const STEPS = fc.oneof(
  { weight: 3, arbitrary: step(handler, (by, atMs) => ({ type: 'Begin', atMs, order: ORDER, handler: by })) },
  { weight: 1, arbitrary: step(handler, (by, atMs) => ({ type: 'Pause', atMs, handler: by })) },
  {
    weight: 2,
    arbitrary: step(fc.tuple(asked, fc.boolean()), ([taken, byHand], atMs) => ({
      ...{ type: 'Take', atMs, order: { ...ORDER, argv: null }, request: taken, files: NO_FILES },
      answer: byHand ? { reply: replied(taken.request_id), by: 'ann' } : null,
    })),
  },
  {
    weight: 1,
    arbitrary: step(id, (of, atMs) => ({ type: 'Respond', atMs, reply: { ...replied(of), atMs }, by: 'ann' })),
  },
  { weight: 1, arbitrary: step(none, (_, atMs) => ({ type: 'Gone', atMs })) },
  {
    weight: 8,
    arbitrary: step(asked, (taken, atMs, key) => {
      const result = { type: 'asked', exit: null, request: taken, files: NO_FILES, problem: null };
      return { type: 'Performed', atMs, key, result };
    }),
  },
  {
    weight: 1,
    arbitrary: step(fc.constantFrom(0, 1, 1, 1, 42), (code, atMs, key) => {
      const result = { type: 'exited', exit: { code, signal: null }, files: NO_FILES, problem: null };
      return { type: 'Performed', atMs, key, result };
    }),
  },
  {
    weight: 1,
    arbitrary: step(none, (_, atMs, key) => ({ type: 'Performed', atMs, key, result: ELSEWHERE })),
  },
  { weight: 2, arbitrary: step(none, (_, atMs, key) => ({ type: 'Lost', atMs, key, usage: NO_USAGE })) },
  { weight: 8, arbitrary: step(none, (_, atMs, key) => ({ type: 'Admitted', atMs, key })) },
  { weight: 1, arbitrary: step(none, (_, atMs, key) => ({ type: 'Parked', atMs, key, reason: 'x', untilMs: 9 })) },
  { weight: 2, arbitrary: step(none, (_, atMs, key) => ({ type: 'Afforded', atMs, key })) },
  { weight: 2, arbitrary: step(none, (_, atMs, key) => ({ type: 'Woke', atMs: atMs + 10_000_000, key })) },
  { weight: 1, arbitrary: step(none, (_, atMs, key) => ({ type: 'Notified', atMs, key })) },
  {
    weight: 8,
    arbitrary: step(none, (_, atMs, key) => {
      return { type: 'Answered', atMs, key, answer: BODY, usage: NO_USAGE, reading: FINE };
    }),
  },
  {
    weight: 3,
    arbitrary: step(failure, (kind, atMs, key) => {
      return { type: 'Failed', atMs, key, failure: kind, reason: 'x', usage: NO_USAGE };
    }),
  },
);
const STALE = ['round-1-m', 'round-2-n', 'h1', 'h2', 'admit-h1-1', 'deliver-1', 'clean-1', 'pause-h1-1', 'notify-1'];
const KEYS = fc.oneof({ weight: 5, arbitrary: none }, { weight: 1, arbitrary: fc.constantFrom(...STALE) });

test('whatever is told in whatever order: each request is answered once, and nothing is forgotten', () => {
  let answers = 0;
  fc.assert(
    fc.property(fc.array(fc.tuple(STEPS, KEYS), { minLength: 60, maxLength: 120 }), (steps) => {
      let run = bridgeDecider.initialState();
      const told: BridgeEvent[] = [];
      for (const [at, [{ command }, stale]] of steps.entries()) {
        const owed = [...bridgeDecider.outstanding(run)];
        const before = structuredClone(run);
        const events = decided(run, command(at + 1, stale ?? owed[0]?.key ?? 'none'), owed.length);
        run = events.reduce<BridgeRun>((state, event) => bridgeDecider.evolve(state, event), run);
        told.push(...structuredClone(events));
        if (run.status === 'open') holds(before, run);
      }
      answers += onceEach(told);
    }),
    { numRuns: 80, seed: 1 },
  );
  // Without these nothing would be shown.
  expect(answers).toBeGreaterThan(100);
});

/** The same as from its snapshot; what is not owed changes nothing. */
function decided(run: BridgeRun, command: BridgeCommand, owed: number): readonly BridgeEvent[] {
  const decision = bridgeDecider.decide(run, command);
  const text = JSON.stringify(run);
  const read = JSON.parse(text) as BridgeRun;
  expect(JSON.stringify(bridgeDecider.decide(read, command))).toBe(JSON.stringify(decision));
  expect(JSON.stringify(read)).toBe(text);
  const events = 'events' in decision ? decision.events : [];
  if ('key' in command && owed === 0) expect(events).toEqual([]);
  return events;
}

function holds(before: BridgeRun, run: LiveBridge): void {
  const { owes, wakeAtMs, ended } = bridgeDecider.summary(run);
  const owed = [...bridgeDecider.outstanding(run)];
  expect(owes || wakeAtMs !== null).toBe(owed.length > 0);
  if (ended) expect(owed.filter(({ type }) => type !== 'Perform')).toEqual([]);
  expect(run.end?.exitCode).not.toBe(42);
  if (before.status === 'new') return;
  expect(run.rounds).toBeGreaterThanOrEqual(before.rounds);
  expect(run.handoffs).toBeGreaterThanOrEqual(before.handoffs);
  const kept = Object.fromEntries(Object.keys(before.replies).map((of) => [of, run.replies[of]]));
  expect(JSON.stringify(kept)).toBe(JSON.stringify(before.replies));
  // What is asked is open, and what is open was not answered.
  if (run.request) expect(Object.keys(run.replies)).not.toContain(run.request.request_id);
}

/** Says how many requests were answered. */
function onceEach(events: readonly BridgeEvent[]): number {
  const answered = new Set<string>();
  const handoffs = new Map<string, string>();
  for (const event of events) {
    if (event.type === 'RequestTaken') {
      const { request_id } = event.request;
      expect(answered).not.toContain(request_id);
      expect(handoffs.has(event.handoff)).toBe(false);
      handoffs.set(event.handoff, request_id);
    }
    if (event.type === 'HandoffAsked') expect(answered).not.toContain(handoffs.get(event.handoff));
    if (event.type === 'RequestAnswered') {
      expect(answered).not.toContain(event.reply.request_id);
      answered.add(event.reply.request_id);
    }
  }
  return answered.size;
}

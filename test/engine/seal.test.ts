import { describe, expect, test } from 'vitest';
import { BatonError } from '../../src/contracts/shared/errors.js';
import { errandDecider } from '../../src/core/errand/errand-decider.js';
import { eventHash, GENESIS } from '../../src/engine/chain.js';
import type { FoldedRun } from '../../src/engine/folded-run.js';
import { Machines } from '../../src/engine/machines.js';
import { RunCache } from '../../src/engine/run-cache.js';
import { EVENT_BYTES_MAX, sealBody, sealEvents } from '../../src/engine/seal.js';
import { nodeHasher } from '../simulation/node-hasher.js';
import { ORDER } from './submission.js';
import { errandOf, testPorts } from './test-ports.js';

const SECRET = 'correct-horse-battery';
const CLIENT = { actor: 'client' };

describe('sealed events', () => {
  test('are folded as they are stored: without the secret', () => {
    const { seal, folded } = setUp();
    const [event] = seal([submitted(`use ${SECRET}`)]).events;
    expect([JSON.parse(event?.data ?? '').title, errandOf(folded)]).toEqual([
      'use [secret]',
      expect.objectContaining({ order: { ...ORDER, title: 'use [secret]' } }),
    ]);
  });

  test('form a chain that begins at nothing and covers every column', () => {
    const { seal, folded } = setUp();
    const { events } = seal([submitted('one'), { type: 'Queued', atMs: 1 }], {
      actor: 'client',
      key: { scope: 's', key: 'k', payload: 'p' },
    });
    let head = GENESIS;
    for (const event of events) {
      head = eventHash(nodeHasher, head, { run: 'run', epoch: null, ...event });
      expect(event.hash).toBe(head);
    }
    expect([folded.head, folded.version, events.map(({ seq, key }) => [seq, key])]).toEqual([
      head,
      2,
      [
        [1, 'k'],
        [2, 'k'],
      ],
    ]);
  });

  test('say what they were decided on', () => {
    const { seal } = setUp();
    const first = seal([submitted('one')]);
    const second = seal([{ type: 'Queued', atMs: 1 }]);
    expect([first.expected, first.prev, second.expected, second.prev]).toEqual([0, '', 1, first.events[0]?.hash]);
  });

  test('keep the answer with the key', () => {
    const { seal } = setUp();
    const key = { scope: 's', key: 'k', payload: 'p' };
    const answer = (state: object, version: number) => `${(state as { status: string }).status} ${version}`;
    expect([
      seal([submitted('one')], { ...CLIENT, key }).dedupe,
      seal([{ type: 'Queued', atMs: 1 }], { ...CLIENT, key, answer }).dedupe,
    ]).toEqual([
      { ...key, answer: '{"run_id":"run","version":1}' },
      { ...key, answer: 'queued 2' },
    ]);
  });

  test('hand the run back when they leave nothing owed and nothing lives in the world, and only then', () => {
    const handBack = (quiet: boolean) => {
      const { seal } = setUp();
      const as = { fence: 1, mayHandBack: () => quiet };
      return [[submitted('one')], [{ type: 'ErrandCanceled', atMs: 1 }]].map(
        (events) => seal(events, CLIENT, as).handBack,
      );
    };
    expect([handBack(true), handBack(false)]).toEqual([
      [false, true],
      [false, false],
    ]);
  });

  test('carry the questions they open and close', () => {
    const { seal } = setUp();
    seal([submitted('one')]);
    const asked = seal([{ type: 'HumanAsked', atMs: 1, number: 1, why: 'review' }]);
    const answered = seal([{ type: 'HumanAnswered', atMs: 2, number: 1, approved: true }]);
    expect([asked.inbox.open.map(({ key }) => key), answered.inbox]).toEqual([
      ['human-1'],
      { open: [], close: ['human-1'] },
    ]);
  });

  test('are refused above 64 KiB', () => {
    const { seal } = setUp();
    expect(() => seal([submitted('x'.repeat(EVENT_BYTES_MAX))])).toThrow(BatonError);
  });

  test('are accepted at 64 KiB', () => {
    const { seal } = setUp();
    const { type: _, ...rest } = submitted('');
    const room = EVENT_BYTES_MAX - JSON.stringify(rest).length;
    expect(seal([submitted('x'.repeat(room))]).events[0]?.data.length).toBe(EVENT_BYTES_MAX);
  });

  test('are measured in bytes', () => {
    const { seal } = setUp();
    expect(() => seal([submitted('€'.repeat(EVENT_BYTES_MAX - 1000))])).toThrow(BatonError);
  });
});

test('a body is addressed by what is stored: the scrubbed text', () => {
  const text = 'use [secret]';
  const bytes = new TextEncoder().encode(text);
  expect(sealBody(testPorts({}, [SECRET]), `use ${SECRET}`)).toEqual({
    ref: { sha256: nodeHasher.sha256(text), bytes: bytes.length },
    body: { sha256: nodeHasher.sha256(text), bytes },
  });
});

function submitted(title: string) {
  return { type: 'ErrandSubmitted', atMs: 0, ...ORDER, title };
}

function setUp() {
  const ports = testPorts({}, [SECRET]);
  const folded: FoldedRun = new RunCache(ports.store, new Machines().add(errandDecider)).begin('run', 'errand');
  const seal = (
    events: readonly { type: string; [field: string]: unknown }[],
    origin: Parameters<typeof sealEvents>[3] = CLIENT,
    as: Parameters<typeof sealEvents>[4] = {},
  ) => sealEvents(ports, folded, events, origin, as);
  return { seal, folded };
}

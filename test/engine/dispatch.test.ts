import { describe, expect, test } from 'vitest';
import { errandDecider } from '../../src/core/errand/errand-decider.js';
import { dispatch, type How } from '../../src/engine/dispatch.js';
import { Machines } from '../../src/engine/machines.js';
import type { Append, EventStore } from '../../src/engine/ports.js';
import { RunCache } from '../../src/engine/run-cache.js';
import type { Origin } from '../../src/engine/seal.js';
import { override } from '../simulation/override.js';
import { submission } from './submission.js';
import { eventually, testPorts } from './test-ports.js';

const CREATE: How = { create: 'errand' };
const cancel = { type: 'Cancel', atMs: 5 };

describe('a command', () => {
  test('is decided again on what somebody else has written meanwhile', async () => {
    const mine = setUp();
    await mine.send(submission(), {}, CREATE);
    const theirs = mine.another();
    await theirs.send({ type: 'Raise', atMs: 1, limits: {} });
    expect(await mine.send(cancel)).toMatchObject({ type: 'accepted', folded: { version: 4 } });
    expect(mine.types()).toEqual(['ErrandSubmitted', 'Queued', 'LimitsRaised', 'ErrandCanceled']);
  });

  test('is refused when what was written meanwhile forbids it', async () => {
    const mine = setUp();
    await mine.send(submission(), {}, CREATE);
    await mine.another().send(cancel);
    expect(await mine.send(cancel)).toEqual({
      type: 'refused',
      refusal: { code: 'INVALID_TRANSITION', reason: 'cannot cancel "tidy up" while it is canceled' },
    });
  });

  test('that loses every race for five seconds is refused', async () => {
    const { ports, send } = setUp({ append: async () => [{ type: 'conflict', version: 9 }] });
    const outcome = send(submission(), {}, CREATE);
    await ports.clock.advance(10_000);
    expect(await outcome).toEqual({
      type: 'refused',
      refusal: { code: 'CONCURRENCY_CONFLICT', reason: 'run is being changed by others all the time' },
    });
  });

  test('to a run that is not there is refused', async () => {
    expect(await setUp().send(cancel)).toEqual({
      type: 'refused',
      refusal: { code: 'RUN_NOT_FOUND', reason: 'there is no run run' },
    });
  });
});

describe('a command with a key', () => {
  const key = { scope: 's', key: 'k', payload: 'p' };

  test('is answered as the first time when it is sent again, even if it would be refused now', async () => {
    const { send, types } = setUp();
    await send(submission(), { key }, CREATE);
    expect(await send(submission(), { key }, CREATE)).toEqual({
      type: 'repeated',
      answer: '{"run_id":"run","version":2}',
    });
    expect(types()).toEqual(['ErrandSubmitted', 'Queued']);
  });

  test('is refused when the key was used for something else', async () => {
    const { send } = setUp();
    await send(submission(), { key }, CREATE);
    expect(await send(cancel, { key: { ...key, payload: 'other' } })).toEqual({
      type: 'refused',
      refusal: { code: 'KEY_REUSED', reason: 'the key k was used for another payload' },
    });
  });

  test('is recognised by the store when two arrive at the same time', async () => {
    const { send, types } = setUp({ recorded: async () => undefined });
    await send(submission(), {}, CREATE);
    await send({ type: 'Raise', atMs: 1, limits: {} }, { key });
    expect(await send({ type: 'Raise', atMs: 1, limits: {} }, { key })).toMatchObject({ type: 'repeated' });
    expect(types()).toEqual(['ErrandSubmitted', 'Queued', 'LimitsRaised']);
  });
});

describe('what only the owner may say', () => {
  const admitted = { type: 'Admitted', atMs: 5, key: 'admit-0-0-0' };

  test('is never sent without an epoch', async () => {
    const { send } = setUp();
    await expect(send(admitted)).rejects.toThrow('Admitted is for the owner of run');
  });

  test('is fenced when somebody else owns the run by now, and what was folded is forgotten', async () => {
    const { ports, send, types, cache } = setUp();
    await send(submission(), {}, CREATE);
    ports.journal.workers.set('w', 0);
    await eventually(ports, ports.store.claim('w', { nowMs: 0, limit: 1 }));
    expect(await send(admitted, {}, { fence: 0 })).toEqual({ type: 'fenced', epoch: 1 });
    expect([types(), cache.peek('run')]).toEqual([['ErrandSubmitted', 'Queued'], undefined]);
  });
});

test('when the store fails, what was folded ahead of it is forgotten', async () => {
  let broken = false;
  const { ports, send, cache, types } = setUp();
  const { append } = ports.store;
  ports.store.append = (group: readonly Append[]) =>
    broken ? Promise.reject(new Error('disk full')) : append.call(ports.store, group);
  await send(submission(), {}, CREATE);
  broken = true;
  await expect(send(cancel)).rejects.toThrow('disk full');
  broken = false;
  expect(cache.peek('run')).toBe(undefined);
  expect(await send(cancel)).toMatchObject({ type: 'accepted', folded: { version: 3 } });
  expect(types()).toEqual(['ErrandSubmitted', 'Queued', 'ErrandCanceled']);
});

function setUp(changes: Partial<EventStore> = {}, ports = testPorts(changes)) {
  const cache = new RunCache(ports.store, new Machines().add(errandDecider));
  const send = (command: { type: string; [field: string]: unknown }, origin: Partial<Origin> = {}, how: How = {}) => {
    const outcome = dispatch(ports, cache, 'run', command, { actor: 'client', ...origin }, how);
    outcome.catch(() => undefined);
    return eventually(ports, outcome);
  };
  const types = () => ports.journal.rows.map(({ type }) => type);
  const another = () => setUp({}, override(ports, {}));
  return { ports, cache, send, types, another };
}

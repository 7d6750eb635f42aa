import { expect, test } from 'vitest';
import { batchDigest, batchHash, GENESIS } from '../../../src/engine/chain.js';
import { appendNext, appendOne, body, HASHER, seal } from './sealed.js';
import type { Opened } from './suite.js';

const SMALL = 1_000;
const LARGE = 700_000;

export function appendTests(opened: Opened): void {
  test('gives positions without gaps over all runs, and the run its version', async () => {
    const { store } = opened.current;
    expect(await store.position()).toBe(0);
    expect(await appendOne(store, seal('a', { data: ['{"n":1}', '{"n":2}'] }))).toEqual({
      type: 'appended',
      version: 2,
      position: 2,
    });
    expect(await appendOne(store, seal('b'))).toEqual({ type: 'appended', version: 1, position: 3 });
    expect(await appendNext(store, 'a')).toEqual({ type: 'appended', version: 3, position: 4 });
    expect(await store.position()).toBe(4);
    expect((await store.feed(0, 10)).map(({ position, run, seq }) => [position, run, seq])).toEqual([
      [1, 'a', 1],
      [2, 'a', 2],
      [3, 'b', 1],
      [4, 'a', 3],
    ]);
  });

  test('keeps every column of an event byte for byte', async () => {
    const { store } = opened.current;
    const data = '{"b":1,  "a":"ä\\u0000😀\\ud800"}';
    const append = seal('a', { data: [data], key: 'k-1', owner: 'w1' });
    await appendOne(store, append);
    const [event] = append.events;
    expect(await store.feed(0, 1)).toEqual([{ position: 1, run: 'a', epoch: null, ...event }]);
    const fenced = seal('a', { expected: 1, prev: event?.hash ?? '', fence: 1 });
    await appendOne(store, fenced);
    expect(await store.events('a', 1, 9)).toEqual([{ position: 2, run: 'a', epoch: 1, ...fenced.events[0] }]);
  });

  test('refuses a decision made on an old version', async () => {
    const { store } = opened.current;
    await appendOne(store, seal('a', { data: ['{}', '{}'] }));
    expect(await appendOne(store, seal('a'))).toEqual({ type: 'conflict', version: 2 });
    expect(await appendOne(store, seal('b', { expected: 3 }))).toEqual({ type: 'conflict', version: 0 });
    expect(await store.position()).toBe(2);
  });

  test('refuses an owner whose epoch has passed, even when its version is right', async () => {
    const { store } = opened.current;
    await appendNext(store, 'a', { summary: { owes: true } });
    await store.enlist('w1', 'host');
    const [claim] = await store.claim('w1', { nowMs: 0, limit: 1 });
    expect(claim?.epoch).toBe(1);
    expect(await appendNext(store, 'a', { fence: 0 })).toEqual({ type: 'fenced', epoch: 1 });
    expect(await appendNext(store, 'a', { fence: 1 })).toMatchObject({ type: 'appended', version: 2 });
    expect(await appendNext(store, 'a')).toMatchObject({ type: 'appended', version: 3 });
  });

  test('says fenced before it says conflict', async () => {
    const { store } = opened.current;
    await appendNext(store, 'a', { owner: 'w1' });
    expect(await appendOne(store, seal('a', { fence: 7 }))).toEqual({ type: 'fenced', epoch: 1 });
  });

  test('answers a repeated key with the first answer and writes nothing', async () => {
    const { store } = opened.current;
    const dedupe = { scope: 's', key: 'k', payload: 'p', answer: '{"first":true}' };
    await appendOne(store, seal('a', { dedupe }));
    const again = { ...dedupe, answer: '{"first":false}' };
    expect(await appendNext(store, 'a', { dedupe: again })).toEqual({ type: 'repeated', answer: '{"first":true}' });
    expect(await appendNext(store, 'a', { dedupe: { ...again, payload: 'q' } })).toEqual({ type: 'key-reused' });
    expect(await appendNext(store, 'b', { dedupe: { ...again, scope: 't' } })).toMatchObject({ type: 'appended' });
    expect(await store.recorded('s', 'k')).toEqual({ payload: 'p', answer: '{"first":true}' });
    expect(await store.recorded('s', 'other')).toBeUndefined();
    expect(await store.position()).toBe(2);
  });

  test('recognises a key that comes twice in one tick', async () => {
    const { store } = opened.current;
    const dedupe = { scope: 's', key: 'k', payload: 'p', answer: '1' };
    const answers = await Promise.all([
      appendOne(store, seal('a', { dedupe })),
      appendOne(store, seal('b', { dedupe: { ...dedupe, answer: '2' } })),
    ]);
    expect(answers).toEqual([
      { type: 'appended', version: 1, position: 1 },
      { type: 'repeated', answer: '1' },
    ]);
    expect(await store.run('b')).toBeUndefined();
  });

  test('writes a group as a whole or not at all', async () => {
    const { store } = opened.current;
    await appendOne(store, seal('a'));
    const dedupe = { scope: 's', key: 'k', payload: 'p', answer: '1' };
    const kept = body(new Uint8Array(SMALL));
    const inbox = { open: [{ key: 'q', kind: 'approval', title: 't', question: 'q' }], close: [] } as const;
    expect(await store.append([seal('new', { dedupe, bodies: [kept], inbox }), seal('a')])).toEqual([
      { type: 'conflict', version: 0 },
      { type: 'conflict', version: 1 },
    ]);
    expect(await store.run('new')).toBeUndefined();
    expect(await store.recorded('s', 'k')).toBeUndefined();
    expect(await store.body(kept.sha256)).toBeUndefined();
    expect(await store.inbox({ open: false, limit: 9 })).toEqual([]);
    expect(await store.position()).toBe(1);
    const all = await store.append([seal('new', { dedupe, bodies: [kept], inbox }), seal('other')]);
    expect(all.map(({ type }) => type)).toEqual(['appended', 'appended']);
  });

  test('lets the groups of one tick fail alone', async () => {
    const { store } = opened.current;
    await appendOne(store, seal('a'));
    const answers = await Promise.all([
      store.append([seal('x')]),
      store.append([seal('y'), seal('a')]),
      store.append([seal('z')]),
    ]);
    expect(answers.map((group) => group.map(({ type }) => type))).toEqual([
      ['appended'],
      ['conflict', 'conflict'],
      ['appended'],
    ]);
    expect((await store.feed(0, 9)).map(({ position, run }) => [position, run])).toEqual([
      [1, 'a'],
      [2, 'x'],
      [3, 'z'],
    ]);
  });

  test('keeps bodies, small and large, shared between runs', async () => {
    const { store } = opened.current;
    const bodies = [
      body(new Uint8Array(0)),
      body(new TextEncoder().encode('ä'.repeat(SMALL))),
      body(noise(SMALL)),
      body(noise(LARGE)),
      body(new TextEncoder().encode('again and again '.repeat(LARGE / 16))),
    ];
    await appendOne(store, seal('a', { bodies }));
    await appendOne(store, seal('b', { bodies }));
    const reopened = await opened.current.reopen();
    for (const { sha256, bytes } of bodies) {
      expect(Buffer.compare((await reopened.body(sha256)) ?? Buffer.from('absent'), bytes)).toBe(0);
    }
    expect(await reopened.body(HASHER.sha256('never stored'))).toBeUndefined();
  });

  test('keeps an event of 64 KiB', async () => {
    const { store } = opened.current;
    const data = JSON.stringify({ text: 'x'.repeat(64 * 1_024 - 11) });
    await appendOne(store, seal('a', { data: [data] }));
    expect((await store.events('a', 0, 1))[0]?.data).toBe(data);
  });

  test('gives a new run to its creator, and takes it from the owner who hands it back', async () => {
    const { store } = opened.current;
    await appendOne(store, seal('a', { owner: 'w1' }));
    expect(await store.run('a')).toMatchObject({ owner: 'w1', epoch: 1 });
    expect(await appendNext(store, 'a', { fence: 1, handBack: true })).toMatchObject({ type: 'appended' });
    expect(await store.run('a')).toMatchObject({ owner: null, epoch: 1 });
    expect(await store.ownedBy('w1')).toEqual([]);
  });

  test('numbers questions, closes them, and asks them anew', async () => {
    const { store } = opened.current;
    const open = (key: string) => ({ key, kind: 'approval' as const, title: `title ${key}`, question: 'May I?' });
    await appendNext(store, 'a', { inbox: { open: [open('one'), { ...open('two'), expiresAtMs: 99 }], close: [] } });
    await appendNext(store, 'b', { inbox: { open: [open('one')], close: [] } });
    await appendNext(store, 'a', { inbox: { open: [], close: ['one', 'unknown'] } });
    const at = '2026-01-02T03:04:05.678Z';
    const two = { run: 'a', key: 'two', kind: 'approval', title: 'title two', question: 'May I?' };
    const waiting = await store.inbox({ open: true, limit: 9 });
    expect(waiting[0]).toEqual({ ...two, item: 2, expiresAtMs: 99, askedAt: at, answeredAt: null });
    expect(waiting.map(({ item, run, key }) => [item, run, key])).toEqual([
      [2, 'a', 'two'],
      [3, 'b', 'one'],
    ]);
    await appendNext(store, 'a', { inbox: { open: [open('one')], close: [] } });
    const all = await store.inbox({ open: false, limit: 9 });
    expect(all.map(({ item, answeredAt }) => [item, answeredAt])).toEqual([
      [1, at],
      [2, null],
      [3, null],
      [4, null],
    ]);
    expect((await store.inbox({ open: true, after: 2, limit: 1 })).map(({ item }) => item)).toEqual([3]);
  });

  test('keeps 10,000 events without a gap', async () => {
    const { store } = opened.current;
    const runs = 20;
    const steps = 500;
    const run = async (name: string) => {
      for (let expected = 0, prev = GENESIS; expected < steps; expected += 1) {
        const append = seal(name, { expected, prev });
        expect((await appendOne(store, append)).type).toBe('appended');
        prev = append.events[0]?.hash ?? '';
      }
    };
    await Promise.all(Array.from({ length: runs }, (_, index) => run(`run-${index}`)));
    const feed = await store.feed(0, runs * steps + 1);
    expect(feed.map(({ position }) => position)).toEqual(Array.from({ length: runs * steps }, (_, index) => index + 1));
    expect((await store.events('run-7', 490, 99)).map(({ seq }) => seq)).toEqual([
      491, 492, 493, 494, 495, 496, 497, 498, 499, 500,
    ]);
  });

  test('chains its commits', async () => {
    const { store } = opened.current;
    await Promise.all([store.append([seal('a')]), store.append([seal('b', { data: ['{}', '{}'] })])]);
    await appendNext(store, 'a');
    const batches = await store.batches(0, 99);
    const events = await store.feed(0, 99);
    let previous = GENESIS;
    for (const { firstPosition, events: count, digest, hash } of batches) {
      const hashes = events.slice(firstPosition - 1, firstPosition - 1 + count).map((event) => event.hash);
      expect(digest).toBe(batchDigest(HASHER, hashes));
      expect(hash).toBe(batchHash(HASHER, previous, firstPosition, count, digest));
      previous = hash;
    }
    expect(batches.reduce((sum, { events: count }) => sum + count, 0)).toBe(4);
  });
}

/** Bytes that do not compress, the same in every run. */
function noise(length: number): Uint8Array {
  const bytes = new Uint8Array(length);
  let state = 1;
  for (let index = 0; index < length; index += 1) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    bytes[index] = state >>> 24;
  }
  return bytes;
}

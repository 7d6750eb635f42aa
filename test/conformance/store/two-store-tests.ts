import { expect, test } from 'vitest';
import type { EventHead, EventRow, EventStore } from '../../../src/engine/ports.js';
import { appendNext, appendOne, seal } from './sealed.js';
import type { Opened } from './suite.js';

const WAIT_MS_MAX = 20_000;

export function twoStoreTests(opened: Opened): void {
  test('hear of their own commits and of each other’s', async () => {
    const { store, second } = opened.current;
    const other = await second();
    const heard = listen(other);
    await appendOne(store, seal('a'));
    await heard.until(1);
    await appendOne(other, seal('b'));
    await heard.until(2);
    heard.stop();
    await appendOne(store, seal('c'));
    await new Promise((done) => setTimeout(done, 100));
    expect(heard.last()).toBe(2);
  });

  test('follow a feed to its end without missing an event', async () => {
    const { store, second } = opened.current;
    const other = await second();
    const events = 300;
    const seen: number[] = [];
    const followed = new Promise<void>((done) => {
      let reading = Promise.resolve();
      const stop = other.onCommit(() => {
        reading = reading.then(async () => {
          for (const { position } of await other.feed(seen.at(-1) ?? 0, 50)) seen.push(position);
          if ((seen.at(-1) ?? 0) < (await other.position())) return; // the rest comes with the next call
          if (seen.length < events) return;
          stop();
          done();
        });
      });
    });
    for (let index = 0; index < events; index += 1) await appendOne(store, seal(`run-${index}`));
    await Promise.race([followed, giveUp(() => seen.length >= events)]);
    expect(seen).toEqual(Array.from({ length: events }, (_, index) => index + 1));
  });

  test('name every event of both in order, as far as a commit was told of', async () => {
    const { store, second } = opened.current;
    const other = await second();
    const told = listen(store);
    for (let turn = 1; turn <= 10; turn += 1) {
      await appendNext(store, 'a', { data: ['{}', '{}'] });
      await appendNext(other, 'b');
      await appendNext(store, `c-${turn}`);
    }
    await told.until(40);
    told.stop();
    const heads: EventHead[] = [];
    for (let last = 0; last < 40; last = heads.at(-1)?.position ?? 40) heads.push(...(await store.feedHeads(last, 7)));
    const feed = await other.feed(0, 100);
    expect(feed).toHaveLength(40);
    expect(heads).toEqual(feed.map(({ position, run, seq }) => ({ position, run, seq })));
    expect((await other.feedHeads(38, 7))[0]).toEqual(heads[38]);
    expect(await store.feedHeads(40, 7)).toEqual([]);
  });

  test('follow one run to its last event, whoever of them wrote it', async () => {
    const { store, second } = opened.current;
    const other = await second();
    const long = JSON.stringify({ text: 'x'.repeat(20_000) });
    for (let turn = 1; turn <= 5; turn += 1) {
      await appendNext(store, 'a', { data: ['{}', long, '{}'] });
      await appendNext(store, 'b');
      await appendNext(other, 'a', { data: ['{"by":"other"}'] });
    }
    const all = await other.events('a', 0, 100);
    expect(all).toHaveLength(20);
    for (const from of [0, 7, 19]) {
      const rows: EventRow[] = [];
      for (let page = await store.nextEvents('a', from, 2); page.length > 0; ) {
        expect(page.length).toBeLessThanOrEqual(2);
        rows.push(...page);
        page = await store.nextEvents('a', page.at(-1)?.seq ?? 0, 2);
      }
      expect(rows, `behind ${from}`).toEqual(all.slice(from));
    }
    expect(await store.nextEvents('none', 0, 2)).toEqual([]);
  });

  test('see at once what the other has made of a run', async () => {
    const { store, second } = opened.current;
    const other = await second();
    for (const worker of ['w1', 'w2']) await store.enlist(worker, 'host');
    await appendNext(store, 'a', { owner: 'w1' });
    await appendNext(other, 'a');
    expect(await appendOne(store, seal('a'))).toEqual({ type: 'conflict', version: 2 });
    expect(await appendNext(store, 'a', { fence: 1 })).toMatchObject({ type: 'appended', version: 3 });
    await other.release('a', 1);
    expect(await other.claim('w2', { run: 'a', nowMs: 0, limit: 1 })).toMatchObject([{ run: 'a', epoch: 2 }]);
    expect(await appendNext(store, 'a', { fence: 1 })).toEqual({ type: 'fenced', epoch: 2 });
    expect(await appendNext(store, 'a', { fence: 2 })).toMatchObject({ type: 'appended', version: 4 });
  });

  test('write in turn without a gap or a lost event, and one of two wins the same version', async () => {
    const { store, second } = opened.current;
    const other = await second();
    const each = 200;
    const write = async (into: EventStore, name: string) => {
      for (let index = 0; index < each; index += 1) await appendOne(into, seal(`${name}-${index}`));
    };
    await Promise.all([write(store, 'one'), write(other, 'two')]);
    const feed = await store.feed(0, 1_000);
    expect(feed.map(({ position }) => position)).toEqual(Array.from({ length: each * 2 }, (_, index) => index + 1));
    const answers = await Promise.all([
      appendNext(store, 'shared'),
      appendOne(other, seal('shared', { data: ['{"b":1}'] })),
    ]);
    expect(answers.map(({ type }) => type).sort()).toEqual(['appended', 'conflict']);
  });
}

function listen(store: EventStore) {
  let last = 0;
  let check: () => void = () => {};
  const stop = store.onCommit((position) => {
    last = Math.max(last, position);
    check();
  });
  return {
    stop,
    last: () => last,
    until: (position: number) =>
      new Promise<void>((done, fail) => {
        const late = setTimeout(() => fail(new Error(`heard of ${last}, not of ${position}`)), WAIT_MS_MAX);
        check = () => {
          if (last < position) return;
          clearTimeout(late);
          done();
        };
        check();
      }),
  };
}

/** Gives up when nothing more is heard, so that the comparison tells what is missing. */
async function giveUp(isDone: () => boolean): Promise<void> {
  const deadlineMs = Date.now() + WAIT_MS_MAX;
  while (!isDone() && Date.now() < deadlineMs) await new Promise((next) => setTimeout(next, 10));
}

import { expect, test } from 'vitest';
import { CommitWatch } from '../../../src/store/sqlite/commit-watch.js';
import { openSqliteStore } from '../../../src/store/sqlite/open.js';
import { seal } from './sealed.js';
import { temporaryHome } from './temporary-home.js';

test('a commit of this process is told without waiting for the next look', async () => {
  const unchanging = { dataVersion: () => 1, position: () => 7 };
  const watch = new CommitWatch(unchanging, temporaryHome());
  const heard: number[] = [];
  const stop = watch.listen((position) => heard.push(position));
  await new Promise((later) => setTimeout(later, 30));
  expect(heard).toEqual([]);
  watch.committed();
  await Promise.resolve();
  expect(heard).toEqual([7]);
  stop();
});

test('a listener is woken when the store cannot be read, so that it meets the failure', async () => {
  const broken = {
    version: 1,
    dataVersion() {
      if (this.version > 1) throw new Error('broken');
      return this.version;
    },
    position: () => 7,
  };
  const watch = new CommitWatch(broken, temporaryHome());
  const woken = new Promise((wake) => watch.listen(wake));
  broken.version = 2;
  await woken;
  watch.stop();
});

test('a store tells of its own commit in the turn in which it answers', async () => {
  const store = await openSqliteStore({ home: temporaryHome(), writer: 'main' });
  const heard: number[] = [];
  store.onCommit((position) => heard.push(position));
  await store.append([seal('a')]);
  await Promise.resolve();
  expect(heard).toEqual([1]);
  await store.close();
});

test('a look for work that finds none is not told to anybody, or every look would cause the next', async () => {
  const store = await openSqliteStore({ home: temporaryHome(), writer: 'main' });
  await store.enlist('w1', 'host');
  const heard: number[] = [];
  store.onCommit((position) => heard.push(position));
  await store.claim('w1', { nowMs: 0, limit: 1 });
  await new Promise((later) => setTimeout(later, 50));
  expect(heard).toEqual([]);
  await store.release('a', 1);
  await Promise.resolve();
  expect(heard).toEqual([0]);
  await store.close();
});

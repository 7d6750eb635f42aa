import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { beforeAll } from 'vitest';
import { type OpenOptions, openSqliteStore } from '../../../src/store/sqlite/open.js';
import type { SqliteStore } from '../../../src/store/sqlite/sqlite-store.js';
import { bundleWriterWorker } from './bundle.js';
import { describeStore, type StoreUnderTest } from './suite.js';

let workerUrl: URL;
beforeAll(async () => {
  workerUrl = await bundleWriterWorker();
});

async function open(writer: OpenOptions['writer']): Promise<StoreUnderTest> {
  const home = await mkdtemp(path.join(os.tmpdir(), 'baton-store-'));
  let passedMs = 0;
  const monotonicMs = () => passedMs;
  const stores: SqliteStore[] = [];
  const openOne = async (kind: OpenOptions['writer']) => {
    const store = await openSqliteStore({ home, writer: kind, monotonicMs, workerUrl });
    stores.push(store);
    return store;
  };
  const closeAll = async () => {
    await Promise.all(stores.splice(0).map((store) => store.close()));
  };
  return {
    store: await openOne(writer),
    second: () => openOne('main'),
    async reopen() {
      await closeAll();
      return openOne(writer);
    },
    kill: (store) => store.close(),
    passMs(ms) {
      passedMs += ms;
    },
    async close() {
      await closeAll();
      await rm(home, { recursive: true, force: true });
    },
  };
}

describeStore('SQLite', () => open('main'));
describeStore('SQLite (writer thread)', () => open('thread'));

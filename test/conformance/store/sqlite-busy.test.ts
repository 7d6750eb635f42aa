import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { BatonError } from '../../../src/contracts/shared/errors.js';
import { openSqliteStore } from '../../../src/store/sqlite/open.js';
import type { SqliteStore } from '../../../src/store/sqlite/sqlite-store.js';
import { bundle, bundleWriterWorker } from './bundle.js';
import { type Child, startChild } from './child.js';
import { seal } from './sealed.js';

describe('a SQLite store whose write lock is held by a stopped process', () => {
  let home: string;
  let holder: Child;
  let store: SqliteStore;
  beforeEach(async () => {
    home = await mkdtemp(path.join(os.tmpdir(), 'baton-busy-'));
    const workerUrl = await bundleWriterWorker();
    store = await openSqliteStore({ home, writer: 'thread', workerUrl });
    holder = startChild(await bundle(new URL('./processes/lock-holder.ts', import.meta.url)), [home]);
    await holder.until((line) => line === 'locked');
    holder.process.kill('SIGSTOP');
  });
  afterEach(async () => {
    await holder.kill();
    await store.close();
    await rm(home, { recursive: true, force: true });
  });

  test('says STORE_BUSY and names it, still reads, and works again when it is gone', async () => {
    const main = await openSqliteStore({ home, writer: 'main' });
    const failures = await Promise.all(
      [store, main].map((each) => each.append([seal('a')]).catch((failure) => failure)),
    );
    for (const failure of failures) {
      expect(failure).toBeInstanceOf(BatonError);
      expect(failure.code).toBe('STORE_BUSY');
      if (process.platform !== 'linux') continue;
      const [first] = failure.details.holders;
      expect(first).toMatchObject({ pid: holder.process.pid, state: 'T', holds_write_lock: true });
      expect(failure.message).toContain(`process ${holder.process.pid} (`);
      expect(failure.message).toContain('stopped, holds the write lock');
    }
    expect(await store.position()).toBe(0);
    await holder.kill();
    expect(await store.append([seal('a')])).toEqual([{ type: 'appended', version: 1, position: 1 }]);
    await main.close();
  });
});

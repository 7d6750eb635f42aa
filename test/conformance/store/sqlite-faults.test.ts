import { readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { BatonError } from '../../../src/contracts/shared/errors.js';
import { eventHash, GENESIS } from '../../../src/engine/chain.js';
import { Connection } from '../../../src/store/sqlite/connection.js';
import { createCommitter } from '../../../src/store/sqlite/create-committer.js';
import { loadDriver } from '../../../src/store/sqlite/driver.js';
import { checkHealth } from '../../../src/store/sqlite/health.js';
import { openSqliteStore } from '../../../src/store/sqlite/open.js';
import { prepareConnection } from '../../../src/store/sqlite/pragmas.js';
import { createMainWriter } from '../../../src/store/sqlite/writer-main.js';
import { bundle } from './bundle.js';
import { failingDriver } from './failing-driver.js';
import { appendNext, body, HASHER, seal } from './sealed.js';
import { failureOf, mounting, temporaryHome } from './temporary-home.js';

const IOERR_FSYNC = 1_034;
const FULL = 13;
const open = (home: string) => openSqliteStore({ home, writer: 'main' });

async function writerThatFails(sql: string) {
  const home = temporaryHome();
  await (await open(home)).close();
  const { driver, failNext } = failingDriver(await loadDriver(), sql);
  return { writer: createMainWriter(createCommitter(driver, home), () => {}), failNext };
}

describe('a failing disk', () => {
  test('ends the store: after a failed sync nothing is written or tried again', async () => {
    const { writer, failNext } = await writerThatFails('COMMIT');
    await writer.write('append', [seal('a')]);
    failNext(IOERR_FSYNC);
    expect(await failureOf(writer.write('append', [seal('b')]))).toMatchObject({ code: 'STORE_FAILED' });
    expect(await failureOf(writer.write('append', [seal('c')]))).toMatchObject({ code: 'STORE_FAILED' });
    await writer.close();
  });

  test('that is full refuses the tick as a whole and takes the next one', async () => {
    const { writer, failNext } = await writerThatFails('COMMIT');
    failNext(FULL);
    const both = [writer.write('append', [seal('a')]), writer.write('append', [seal('b')])];
    const codes = (await Promise.all(both.map(failureOf))).map(({ code }) => code);
    expect(codes).toEqual(['STORE_FULL', 'STORE_FULL']);
    expect(await writer.write('append', [seal('a')])).toEqual([{ type: 'appended', version: 1, position: 1 }]);
    await writer.close();
  });
});

test('a write that cannot be made fails alone', async () => {
  const store = await open(temporaryHome());
  const wrong = seal('b', { bodies: [{ sha256: '0'.repeat(64), bytes: new Uint8Array(3) }] });
  const late = { ...seal('c'), events: seal('c', { expected: 5 }).events };
  const answers = await Promise.allSettled([
    store.append([seal('a')]),
    store.append([wrong]),
    store.append([late]),
    store.append([seal('d', { summary: { tokens: 0.5 } })]),
    store.append([seal('e')]),
  ]);
  expect(answers.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected', 'rejected', 'fulfilled']);
  expect((await store.feed(0, 9)).map(({ position, run }) => [position, run])).toEqual([
    [1, 'a'],
    [2, 'e'],
  ]);
  await store.close();
});

test.skipIf(process.getuid?.() !== 0)(
  'a full disk loses nothing and is usable again (needs root for a small tmpfs)',
  async () => {
    const home = temporaryHome();
    mounting('mount', '-t', 'tmpfs', '-o', 'size=2m', 'tmpfs', home);
    try {
      const store = await open(home);
      writeFileSync(path.join(home, 'ballast'), new Uint8Array(600_000));
      let version = 0;
      const data = [JSON.stringify({ text: 'x'.repeat(20_000) })];
      const failure = await (async () => {
        for (let step = 0; step < 1_000; step += 1) {
          const answer = await appendNext(store, 'a', { data }).catch((error) => error);
          if (answer instanceof Error) return answer;
          version = answer.version;
        }
        return undefined;
      })();
      expect(failure).toMatchObject({ code: 'STORE_FULL' });
      const large = body(new Uint8Array(900_000).map((_, index) => (index * 2_654_435_761) >>> 24));
      expect(await failureOf(appendNext(store, 'b', { bodies: [large] }))).toMatchObject({ code: 'STORE_FULL' });
      rmSync(path.join(home, 'ballast'));
      expect((await store.load('a'))?.version).toBe(version);
      expect(await appendNext(store, 'a')).toMatchObject({ type: 'appended', version: version + 1 });
      await store.close();
      const again = await open(home);
      expect((await again.load('a'))?.version).toBe(version + 1);
      await again.close();
    } finally {
      mounting('umount', '-l', home);
    }
  },
);

describe('a damaged file', () => {
  const EVENTS = 40;

  /** Opens, reads everything and folds the chains. What it answers must be a typed refusal or the whole truth. */
  async function examine(home: string): Promise<'refused' | 'seen by the chain' | 'whole'> {
    try {
      const store = await open(home);
      try {
        const events = await store.feed(0, 1_000);
        const loaded = await store.load('run');
        await store.runs({ limit: 9 });
        let head = GENESIS;
        for (const row of events) head = eventHash(HASHER, head, row);
        const complete = events.length === EVENTS && loaded?.version === EVENTS;
        return complete && head === loaded?.head ? 'whole' : 'seen by the chain';
      } finally {
        await store.close();
      }
    } catch (failure) {
      expect(failure).toBeInstanceOf(BatonError);
      expect((failure as BatonError).code).toMatch(/^STORE_(DAMAGED|NEWER|SHARED)$/);
      return 'refused';
    }
  }

  async function written(): Promise<{ home: string; file: string; bytes: Buffer }> {
    const home = temporaryHome();
    const store = await open(home);
    for (let step = 0; step < EVENTS; step += 1) {
      await appendNext(store, 'run', { data: [JSON.stringify({ step, text: 'x'.repeat(300) })] });
    }
    await store.close();
    for (const name of readdirSync(home).filter((each) => /-(wal|shm)$/.test(each))) {
      expect(readFileSync(path.join(home, name)).length * Number(name.endsWith('-wal'))).toBe(0);
    }
    const file = path.join(home, 'baton.db');
    return { home, file, bytes: readFileSync(file) };
  }

  test('that lost its end, or everything, is refused and named', async () => {
    const { home, file, bytes } = await written();
    for (const length of [0, 50, 4_096, Math.floor(bytes.length / 2), bytes.length - 4_096]) {
      rewrite(home, file, bytes);
      truncateSync(file, length);
      const failure = await failureOf(open(home));
      expect(failure.code).toBe('STORE_DAMAGED');
      expect(failure.details).toMatchObject({ home, file });
    }
  });

  test('is refused, or its damage is seen in the chain, wherever a byte was changed', async () => {
    const { home, file, bytes } = await written();
    const seen = { refused: 0, 'seen by the chain': 0, whole: 0 };
    for (let offset = 17; offset < bytes.length; offset += 1_013) {
      const damaged = Buffer.from(bytes);
      damaged[offset] = (damaged[offset] ?? 0) ^ 0x40;
      rewrite(home, file, damaged);
      seen[await examine(home)] += 1;
    }
    expect(seen.refused).toBeGreaterThan(0);
    expect(seen['seen by the chain'] + seen.refused + seen.whole).toBe(Math.ceil((bytes.length - 17) / 1_013));
  });

  test('says up to where the journal is good', async () => {
    const { home, file, bytes } = await written();
    const damaged = Buffer.from(bytes);
    const last = damaged.lastIndexOf('"step":39');
    damaged.fill(0xff, last - (last % 4_096), last - (last % 4_096) + 100);
    rewrite(home, file, damaged);
    const failure = await failureOf(open(home));
    expect(failure.code).toBe('STORE_DAMAGED');
    const good = failure.details?.last_good as { position: number };
    expect(good.position).toBeGreaterThan(0);
    expect(good.position).toBeLessThan(EVENTS);
    expect(failure.details?.offset).toBe(last - (last % 4_096));
  });

  function rewrite(home: string, file: string, bytes: Uint8Array): void {
    for (const name of readdirSync(home).filter((each) => /-(wal|shm)$/.test(each))) rmSync(path.join(home, name));
    rmSync(file, { force: true });
    writeFileSync(file, bytes, { mode: 0o600 });
  }
});

test('the death of the writer thread refuses what waits and everything after', async () => {
  const workerUrl = await bundle(new URL('./processes/dying-writer.ts', import.meta.url));
  const store = await openSqliteStore({ home: temporaryHome(), writer: 'thread', workerUrl });
  const waiting = [store.append([seal('a')]), store.append([seal('b')])];
  for (const each of waiting) expect(await failureOf(each)).toMatchObject({ code: 'STORE_FAILED' });
  expect(await failureOf(store.append([seal('c')]))).toMatchObject({ code: 'STORE_FAILED' });
  expect(await failureOf(store.position())).toMatchObject({ code: 'STORE_FAILED' });
  await store.close();
});

test('the death of an idle writer thread refuses reads too', async () => {
  const workerUrl = await bundle(new URL('./processes/vanishing-writer.ts', import.meta.url));
  const store = await openSqliteStore({ home: temporaryHome(), writer: 'thread', workerUrl });
  const refused = async () => {
    for (let look = 0; look < 1_000; look += 1) {
      await store.position();
      await new Promise((later) => setTimeout(later, 10));
    }
  };
  expect(await failureOf(refused())).toMatchObject({ code: 'STORE_FAILED' });
  await store.close();
});

test('every connection syncs each commit', async () => {
  const home = temporaryHome();
  await (await open(home)).close();
  const connection = new Connection(await loadDriver(), path.join(home, 'baton.db'));
  connection.exec('PRAGMA synchronous = OFF');
  prepareConnection(connection, home);
  expect([connection.pragma('journal_mode'), connection.pragma('synchronous')]).toEqual(['wal', 2]);
  connection.close();
});

test('the process table is kept and found by run, handoff and worker', async () => {
  const home = temporaryHome();
  const store = await open(home);
  await appendNext(store, 'a', { owner: 'w1', summary: { owes: true } });
  await appendNext(store, 'b', { owner: 'w2', summary: { owes: true } });
  const row = { run: 'a', handoff: 'ask-1', attempt: 1, worker: 'w1', pid: 7, started: 'then', pidNamespace: null };
  expect(await store.processes.add(row, 1)).toBe(true);
  await store.processes.add({ ...row, handoff: 'ask-2', pid: 8, pidNamespace: '4026531836' }, 1);
  await store.processes.add({ ...row, run: 'b', worker: 'w2', pid: 9 }, 1);
  const late = { ...row, handoff: 'ask-3' };
  for (const [one, epoch] of [
    [late, 2],
    [{ ...late, worker: 'w2' }, 1],
    [{ ...late, run: 'c' }, 1],
  ] as const) {
    expect(await store.processes.add(one, epoch), 'only the owner may start something').toBe(false);
  }
  const pids = async (of: object) => (await store.processes.list(of)).map(({ pid }) => pid);
  expect(await store.processes.list({ run: 'a', handoff: 'ask-1' })).toEqual([row]);
  expect(await pids({ worker: 'w1' })).toEqual([7, 8]);
  expect(await pids({ worker: 'w2' })).toEqual([9]);
  await store.processes.remove(row);
  expect(await pids({})).toEqual([8, 9]);
  await store.close();
});

test('a worker is refused while one of an incompatible release is alive, and taken once that is dead', async () => {
  const home = temporaryHome();
  const [old, store] = [await open(home), await open(home)];
  await old.enlist('old', 'host');
  const connection = new Connection(await loadDriver(), path.join(home, 'baton.db'));
  connection.run("UPDATE worker SET release = '0'");
  connection.close();
  expect(await failureOf(store.enlist('new', 'host'))).toMatchObject({
    code: 'STORE_MIXED',
    details: { workers: ['old'] },
  });
  await old.close();
  await store.enlist('new', 'host');
  await store.close();
});

test('a store that somebody writes to while it is opened is not taken for damaged', async () => {
  const home = temporaryHome();
  const store = await open(home);
  await appendNext(store, 'a');
  const file = path.join(home, 'baton.db');
  const driver = await loadDriver();
  const other = createCommitter(driver, home);
  let commits = 0;
  class Disturbed extends Connection {
    override get<T>(sql: string, ...values: Parameters<Connection['get']>[1][]): T | undefined {
      const found = super.get<T>(sql, ...values);
      // After the first thing that is read, somebody else commits.
      if (commits === 0) commits += other.commit(other.prepare([{ name: 'append', args: [seal('b')] }]), 1_000) ? 1 : 0;
      return found;
    }
  }
  const connection = new Disturbed(driver, file);
  expect(() => checkHealth(connection, home, file)).not.toThrow();
  expect(commits).toBe(1);
  connection.close();
  other.close();
  await store.close();
});

import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  linkSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { Connection } from '../../../src/store/sqlite/connection.js';
import { loadDriver } from '../../../src/store/sqlite/driver.js';
import { networkFuse } from '../../../src/store/sqlite/network-file-system.js';
import { openSqliteStore } from '../../../src/store/sqlite/open.js';
import { isSafeSqlite } from '../../../src/store/sqlite/sqlite-version.js';
import { appendNext, seal } from './sealed.js';
import { failureOf, mounting, temporaryHome } from './temporary-home.js';

const open = (home: string) => openSqliteStore({ home, writer: 'main' });
const ROOT = process.getuid?.() === 0;

async function madeStore(home = temporaryHome()): Promise<string> {
  const store = await open(home);
  await store.append([seal('a')]);
  await store.close();
  return home;
}

async function alter(home: string, sql: string): Promise<void> {
  const connection = new Connection(await loadDriver(), path.join(home, 'baton.db'));
  connection.exec(sql);
  connection.close();
}

describe('opening a SQLite store', () => {
  test('makes the home for its owner alone, and closes what was open to others', async () => {
    const home = path.join(temporaryHome(), 'deep', 'home');
    await madeStore(home);
    const mode = (name: string) => statSync(path.join(home, name)).mode & 0o777;
    expect([mode('.'), mode('baton.db'), mode('workers')]).toEqual([0o700, 0o600, 0o700]);
    chmodSync(home, 0o755);
    chmodSync(path.join(home, 'baton.db'), 0o644);
    const store = await open(home);
    expect([mode('.'), mode('baton.db')]).toEqual([0o700, 0o600]);
    await store.append([seal('b')]);
    expect([mode('baton.db-wal'), mode('baton.db-shm')]).toEqual([0o600, 0o600]);
    await store.close();
  });

  test.skipIf(!ROOT)('refuses a home or a file of another user (needs root)', async () => {
    const home = await madeStore();
    chownSync(path.join(home, 'baton.db'), 12_345, 12_345);
    expect(await failureOf(open(home))).toMatchObject({ code: 'STORE_PERMISSIONS' });
    chownSync(path.join(home, 'baton.db'), 0, 0);
    chownSync(home, 12_345, 12_345);
    expect(await failureOf(open(home))).toMatchObject({ code: 'STORE_PERMISSIONS' });
  });

  test.skipIf(!ROOT)('refuses a home that cannot be written (needs root to mount one)', async () => {
    const folder = temporaryHome();
    mounting('mount', '--bind', await madeStore(), folder);
    try {
      mounting('mount', '-o', 'remount,bind,ro', folder);
      expect(await failureOf(open(folder))).toMatchObject({ code: 'STORE_READONLY', details: { home: folder } });
      const made = failureOf(open(path.join(folder, 'new')));
      expect(await made).toMatchObject({ code: 'STORE_READONLY' });
    } finally {
      mounting('umount', '-l', folder);
    }
  });

  test('refuses a home that is a file', async () => {
    const file = path.join(temporaryHome(), 'file');
    writeFileSync(file, '');
    expect(await failureOf(open(file))).toMatchObject({ code: 'HOME_UNUSABLE' });
  });

  test('refuses a store of a newer release and does not touch it', async () => {
    const home = await madeStore();
    await alter(home, 'PRAGMA user_version = 99');
    expect(await failureOf(open(home))).toMatchObject({ code: 'STORE_NEWER', details: { version: 99 } });
  });

  test('brings a store of an earlier release up to date: projects were folders once', async () => {
    const home = temporaryHome();
    const store = await open(home);
    const named = { one: '/home/anna/my shop', two: null, three: 'shop' };
    for (const [run, project] of Object.entries(named)) {
      await store.append([seal(run, { kind: 'job', summary: { project } })]);
    }
    await store.close();
    await alter(home, 'PRAGMA user_version = 2');
    const again = await open(home);
    const projects = await Promise.all(Object.keys(named).map(async (run) => (await again.run(run))?.project));
    await again.close();
    expect(projects).toEqual(['my shop', 'default', 'shop']);
  });

  test('refuses a database of somebody else', async () => {
    const home = temporaryHome();
    await alter(home, 'CREATE TABLE other (a)');
    chmodSync(path.join(home, 'baton.db'), 0o600);
    expect(await failureOf(open(home))).toMatchObject({ code: 'STORE_DAMAGED' });
  });

  test('refuses one database in two homes: symbolic link, hard link, file moved without its folder', async () => {
    const home = await madeStore();
    const file = path.join(home, 'baton.db');
    const other = temporaryHome();
    const there = path.join(other, 'baton.db');
    symlinkSync(file, there);
    expect(await failureOf(open(other))).toMatchObject({ code: 'STORE_SHARED' });
    rmSync(there);
    linkSync(file, there);
    expect(await failureOf(open(other))).toMatchObject({ code: 'STORE_SHARED' });
    expect(await failureOf(open(home))).toMatchObject({ code: 'STORE_SHARED' });
    rmSync(file);
    expect(await failureOf(open(other))).toMatchObject({ code: 'STORE_SHARED', details: { file: there } });
  });

  test('opens a home that was moved or restored from a copy', async () => {
    const home = await madeStore();
    const moved = path.join(temporaryHome(), 'moved');
    renameSync(home, moved);
    const copied = path.join(temporaryHome(), 'copied');
    cpSync(moved, copied, { recursive: true });
    for (const place of [moved, copied]) {
      const store = await open(place);
      expect(await store.position()).toBe(1);
      expect(await appendNext(store, 'a')).toMatchObject({ type: 'appended', version: 2 });
      await store.close();
    }
  });

  test('finishes the naming of a database whose maker was killed', async () => {
    const home = await madeStore();
    const unfinished = path.join(home, 'baton.db.0a1b-2c.new');
    linkSync(path.join(home, 'baton.db'), unfinished);
    await (await open(home)).close();
    expect(existsSync(unfinished)).toBe(false);
  });

  test('can be done by several at once on a home that is not there yet', async () => {
    const home = path.join(temporaryHome(), 'home');
    const stores = await Promise.all(Array.from({ length: 4 }, () => open(home)));
    await Promise.all(stores.map((store, index) => store.append([seal(`run-${index}`)])));
    expect(await stores[0]?.position()).toBe(4);
    await Promise.all(stores.map((store) => store.close()));
  });

  test('refuses every call after it was closed', async () => {
    const store = await open(temporaryHome());
    await store.close();
    await store.close();
    expect(await failureOf(store.append([seal('a')]))).toMatchObject({ code: 'STORE_CLOSED' });
    expect(await failureOf(store.position())).toMatchObject({ code: 'STORE_CLOSED' });
  });
});

test.each([
  ['3.44.5', false],
  ['3.44.6', true],
  ['3.45.1', false],
  ['3.50.6', false],
  ['3.50.7', true],
  ['3.51.2', false],
  ['3.51.3', true],
  ['3.53.0', true],
  ['4.0.0', true],
  ['', false],
])('SQLite %s is safe from the WAL-reset bug: %s', (version, safe) => {
  expect(isSafeSqlite(version)).toBe(safe);
});

test('a FUSE mount is a network file system only when its program is one', () => {
  const mounts = [
    '22 1 8:1 / / rw - ext4 /dev/sda1 rw',
    '36 22 0:40 / /home/x rw - fuse.gocryptfs gocryptfs rw',
    '37 36 0:41 / /home/x/far\\040away rw - fuse.sshfs host:/ rw',
  ].join('\n');
  expect(networkFuse(mounts, '/home/x/near')).toBeUndefined();
  expect(networkFuse(mounts, '/home/x/far away/baton')).toBe('fuse.sshfs');
});

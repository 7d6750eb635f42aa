import { mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { withLock } from './file-lock.js';

let folder: string;
let lock: string;
beforeEach(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'baton-lock-'));
  lock = path.join(folder, 'lock');
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const PID_MAX = 2 ** 22;
const deadOwner = `${PID_MAX + 1} ${os.hostname()}`;

test('only one works at a time, also when all find the lock of a dead process first', async () => {
  let inside = 0;
  let most = 0;
  const work = async () => {
    inside += 1;
    most = Math.max(most, inside);
    await sleep(1);
    inside -= 1;
  };
  // Staggered, so that some find it dead just before another has broken and taken it.
  const arrive = async () => {
    await sleep(Math.random() * 4);
    await withLock(lock, work);
  };
  for (let round = 0; round < 60; round += 1) {
    await writeFile(lock, deadOwner);
    await Promise.all(Array.from({ length: 12 }, arrive));
  }
  expect(most).toBe(1);
  expect(await readdir(folder)).toEqual([]);
});

test('the lock is released when the work fails', async () => {
  const failing = withLock(lock, async () => {
    throw new Error('no');
  });
  await expect(failing).rejects.toThrow('no');
  expect(await readdir(folder)).toEqual([]);
});

test.each([
  ['a living process', `${process.pid} ${os.hostname()}`],
  ['another machine, whose processes cannot be seen', `${PID_MAX + 1} elsewhere`],
  ['an owner that has not written its name yet', ''],
])('the lock of %s is respected', async (_, owner) => {
  await writeFile(lock, owner);
  await expect(withLock(lock, async () => 'worked', 150)).rejects.toMatchObject({
    code: 'CONFIG_LOCKED',
    details: { lock },
  });
  expect(await readdir(folder)).toEqual(['lock']);
});

test('a lock that stays without a name is abandoned', async () => {
  await writeFile(lock, '');
  const old = new Date(Date.now() - 60_000);
  await utimes(lock, old, old);
  expect(await withLock(lock, async () => 'worked')).toBe('worked');
});

test('a left-behind breaker is named instead of waited for', async () => {
  await writeFile(lock, deadOwner);
  await writeFile(`${lock}.break`, deadOwner);
  const old = new Date(Date.now() - 60_000);
  await utimes(`${lock}.break`, old, old);
  await expect(withLock(lock, async () => 'worked')).rejects.toMatchObject({ details: { lock: `${lock}.break` } });
});

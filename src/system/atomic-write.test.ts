import { lstat, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { writeAtomically } from './atomic-write.js';

let folder: string;
let file: string;
beforeEach(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'baton-write-'));
  file = path.join(folder, 'file');
});
afterEach(() => rm(folder, { recursive: true, force: true }));

test('replaces the whole file with the given mode and leaves nothing beside it', async () => {
  await writeFile(file, 'before', { mode: 0o644 });
  await writeAtomically(file, 'after', { mode: 0o600 });
  expect(await readFile(file, 'utf8')).toBe('after');
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  expect(await readdir(folder)).toEqual(['file']);
});

test('does not follow a link out of the folder', async () => {
  const outside = path.join(folder, 'outside');
  await writeFile(outside, 'precious');
  await symlink(outside, file);
  await writeAtomically(file, 'after', { mode: 0o600 });
  expect(await readFile(outside, 'utf8')).toBe('precious');
  expect((await lstat(file)).isSymbolicLink()).toBe(false);
});

test('exclusively, it refuses what is there and cleans up', async () => {
  await writeFile(file, 'before');
  await expect(writeAtomically(file, 'after', { mode: 0o600, exclusive: true })).rejects.toMatchObject({
    code: 'EEXIST',
  });
  expect(await readFile(file, 'utf8')).toBe('before');
  expect(await readdir(folder)).toEqual(['file']);
});

test('a failed write leaves the old file and no temporary one', async () => {
  await expect(writeAtomically(folder, 'text', { mode: 0o600 })).rejects.toThrow();
  expect((await readdir(path.dirname(folder))).filter((name) => name.startsWith(`.${path.basename(folder)}`))).toEqual(
    [],
  );
});

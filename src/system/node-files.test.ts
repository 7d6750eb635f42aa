import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { FileWriter } from '../engine/projections/file-writer.js';
import { writeAll, writeDurably } from './durable-write.js';
import { nodeClock } from './node-clock.js';
import { nodeFiles } from './node-files.js';

function folder(): string {
  const made = mkdtempSync(path.join(os.tmpdir(), 'baton-files-'));
  onTestFinished(() => rmSync(made, { recursive: true, force: true }));
  return made;
}

test('a file is replaced as a whole, private, and nothing else is left behind', async () => {
  const home = folder();
  const file = path.join(home, 'jobs/a/job_manifest.json');
  await nodeFiles.replace(file, 'a longer first content');
  await nodeFiles.replace(file, 'second');
  expect(readFileSync(file, 'utf8')).toBe('second');
  expect(readdirSync(path.dirname(file))).toEqual(['job_manifest.json']);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(statSync(path.dirname(file)).mode & 0o777).toBe(0o700);
});

test('a link at its place is replaced, not followed', async () => {
  const home = folder();
  const outside = path.join(home, 'outside');
  writeFileSync(outside, 'mine');
  symlinkSync(outside, path.join(home, 'projection'));
  await nodeFiles.replace(path.join(home, 'projection'), 'new');
  expect(readFileSync(outside, 'utf8')).toBe('mine');
});

test('what cannot replace leaves no temporary file', async () => {
  const home = folder();
  mkdirSync(path.join(home, 'taken'));
  await expect(nodeFiles.replace(path.join(home, 'taken'), 'new')).rejects.toThrow();
  expect(readdirSync(home)).toEqual(['taken']);
});

test('a file that must be new is never replaced', async () => {
  const file = path.join(folder(), 'key');
  await writeDurably(file, 'first', { mode: 0o600, exclusive: true });
  await expect(writeDurably(file, 'second', { mode: 0o600, exclusive: true })).rejects.toMatchObject({
    code: 'EEXIST',
  });
  expect(readFileSync(file, 'utf8')).toBe('first');
});

test('short writes are continued until every byte is written', async () => {
  const kept: number[] = [];
  const slow = {
    write: async (bytes: Uint8Array, from: number, length: number) => {
      const taken = Math.min(3, length);
      kept.push(...bytes.subarray(from, from + taken));
      return { bytesWritten: taken, buffer: bytes };
    },
  };
  await writeAll(slow as unknown as Parameters<typeof writeAll>[0], Buffer.from('eleven bytes'));
  expect(Buffer.from(kept).toString()).toBe('eleven bytes');
});

test('a file that takes no more bytes is an error and no endless loop', async () => {
  const full = { write: async (bytes: Uint8Array) => ({ bytesWritten: 0, buffer: bytes }) };
  const write = writeAll(full as unknown as Parameters<typeof writeAll>[0], Buffer.from('x'));
  await expect(write).rejects.toMatchObject({ code: 'ENOSPC' });
});

test('an absent file reads as undefined, an unreadable one fails', async () => {
  const home = folder();
  expect(await nodeFiles.read(path.join(home, 'none'))).toBeUndefined();
  await expect(nodeFiles.read(home)).rejects.toThrow();
});

test('the writer brings the newest content of many changes to a real disk', async () => {
  const home = folder();
  const writer = new FileWriter(nodeFiles, nodeClock, () => {});
  const files = Array.from({ length: 5 }, (_, index) => path.join(home, `${index}/state.json`));
  for (let change = 1; change <= 200; change += 1) for (const file of files) writer.put(file, () => `change ${change}`);
  await writer.flush();
  expect(files.map((file) => readFileSync(file, 'utf8'))).toEqual(files.map(() => 'change 200'));
});

test('a folder that is closed for a while loses nothing', async () => {
  const home = folder();
  const file = path.join(home, 'blocked', 'state.json');
  writeFileSync(path.join(home, 'blocked'), 'a file where the folder must be');
  const problems: unknown[] = [];
  const writer = new FileWriter(nodeFiles, nodeClock, (_, problem) => problems.push(problem));
  writer.put(file, () => 'newest');
  await expect(writer.flush()).rejects.toThrow();
  rmSync(path.join(home, 'blocked'));
  await writer.flush();
  expect({ content: readFileSync(file, 'utf8'), problems: problems.length }).toEqual({
    content: 'newest',
    problems: 3,
  });
  chmodSync(home, 0o700);
});

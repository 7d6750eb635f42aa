import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import net from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { addressOf, holderOf, holdFolder } from './hold-folder.js';

function newFolder(): string {
  const dir = mkdtempSync(path.join(tmpdir(), 'baton-hold-'));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  return dir;
}

test('a folder has one handler at a time, whatever name it is called by', async () => {
  const dir = newFolder();
  const link = path.join(newFolder(), 'link');
  symlinkSync(dir, link);
  const held = await holdFolder(dir);
  expect(await holderOf(link)).toBe(process.pid);
  for (const name of [dir, link]) {
    await expect(holdFolder(name)).rejects.toMatchObject({ code: 'BRIDGE_BUSY', details: { pid: process.pid } });
  }
  await held.release();
  expect(await holderOf(dir)).toBeNull();
  await (await holdFolder(link)).release();
});

test('other folders are other folders', async () => {
  const [one, other] = [newFolder(), newFolder()];
  const held = await holdFolder(one);
  expect(await holderOf(other)).toBeNull();
  await (await holdFolder(other)).release();
  await held.release();
});

test('of many who come at once one has it', async () => {
  const dir = newFolder();
  const came = await Promise.allSettled(Array.from({ length: 8 }, () => holdFolder(dir)));
  const held = came.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
  expect(held).toHaveLength(1);
  await held[0]?.release();
});

test('whoever is killed holds nothing any more', async () => {
  const dir = newFolder();
  const program = `const net = require('node:net');
    net.createServer((s) => s.end(String(process.pid))).listen(Buffer.from(process.argv[1], 'hex').toString(), () => console.log('held'));`;
  const holder = spawn(process.execPath, ['-e', program, Buffer.from(addressOf(dir)).toString('hex')]);
  await new Promise((resolve) => holder.stdout.once('data', resolve));
  expect(await holderOf(dir)).toBe(holder.pid);
  await expect(holdFolder(dir)).rejects.toMatchObject({ details: { pid: holder.pid } });
  const gone = new Promise((resolve) => holder.once('exit', resolve));
  holder.kill('SIGKILL');
  await gone;
  await (await holdFolder(dir)).release();
});

test('somebody who asks who it is and never hangs up does not keep it from being given back', async () => {
  const dir = newFolder();
  const held = await holdFolder(dir);
  const silent = net.connect({ path: addressOf(dir), allowHalfOpen: true });
  await new Promise((resolve) => silent.once('data', resolve));
  await held.release();
  expect(await holderOf(dir)).toBeNull();
  silent.destroy();
});

import { execFileSync, spawn } from 'node:child_process';
import {
  linkSync,
  mkdirSync,
  mkdtempSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openInside } from '../sandbox/open-inside.js';
import { readEvidence } from './evidence.js';

let root: string;
let workspace: string;
beforeEach(() => {
  root = mkdtempSync(path.join(os.tmpdir(), 'b-'));
  workspace = path.join(root, 'w');
  mkdirSync(path.join(workspace, 'src'), { recursive: true });
  writeFileSync(path.join(root, 'secret'), 'secret');
  writeFileSync(inside('a.txt'), 'one\n');
  writeFileSync(inside('src/b.txt'), 'two\n');
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const inside = (file: string): string => path.join(workspace, file);
const clock = { monotonicMs: () => performance.now() };
const look = (files: readonly string[], more: object = {}) =>
  readEvidence(workspace, files, { clock, signal: new AbortController().signal, ...more });

describe('evidence is refused and never opened', () => {
  const cases: [what: string, path: string, plant: () => void][] = [
    ['behind a link', 'link', () => symlinkSync('../secret', inside('link'))],
    ['behind a link to a file of the workspace', 'link', () => symlinkSync('a.txt', inside('link'))],
    ['behind a linked folder', 'folder/b.txt', () => symlinkSync('src', inside('folder'))],
    ['behind a folder that leads out', 'folder/secret', () => symlinkSync('..', inside('folder'))],
    ['behind a folder that leads to /proc', 'folder/self/environ', () => symlinkSync('/proc', inside('folder'))],
    ['behind a loop', 'loop', () => symlinkSync('loop', inside('loop'))],
    ['that is a pipe', 'pipe', () => execFileSync('mkfifo', [inside('pipe')])],
    ['that has a second name', 'hard', () => linkSync(path.join(root, 'secret'), inside('hard'))],
  ];
  const forms = ['../secret', '../w2/x', 'src/../../secret', '/etc/hostname', '/proc/self/environ', '.git/config'];
  const odd = [
    'src/.GIT/config',
    'file:///etc/hostname',
    '~/x',
    '%2e%2e/x',
    '..\\x',
    'C:/x',
    'a\0b',
    'a\u202eb',
    '',
    'x.',
  ];
  const long = `${'x'.repeat(300)}/y`;

  test.each(cases)('%s', async (_, file, plant) => {
    plant();
    const { fault, evidence } = await look(['a.txt', file]);
    expect(fault).toMatchObject({ kind: 'path', reason: expect.stringContaining(JSON.stringify(file)) });
    expect(evidence.map((one) => one.path)).toEqual(['a.txt']);
  });

  test.each([...forms, ...odd, long])('when it is called %j', async (file) => {
    writeFileSync(inside('x.'), '');
    expect(await look(['a.txt', file])).toMatchObject({ fault: { kind: 'path' }, evidence: [] });
  });

  test('that is a socket', async () => {
    const server = net.createServer();
    await new Promise<void>((resolve) => server.listen(inside('socket'), resolve));
    expect(await look(['socket'])).toMatchObject({ fault: { kind: 'path' } });
    await new Promise((resolve) => server.close(resolve));
  });
});

test('a file is what it was when it was looked at, though it is swapped before it is read', async () => {
  const opened = await openInside(workspace, 'src/b.txt');
  renameSync(inside('src'), inside('old'));
  symlinkSync(root, inside('src'));
  writeFileSync(path.join(root, 'b.txt'), 'swapped');
  if (opened.type !== 'file') throw new Error(opened.type);
  expect(await opened.handle.readFile('utf8')).toBe('two\n');
  await opened.handle.close();
});

test('links that come and go while the chain is walked never lead out', async () => {
  const swap = `const fs = require('fs'); for (;;) {
    fs.renameSync('src', 'real'); fs.symlinkSync('..', 'src'); fs.unlinkSync('src'); fs.renameSync('real', 'src'); }`;
  writeFileSync(path.join(root, 'b.txt'), 'outside');
  const swapper = spawn(process.execPath, ['-e', swap], { cwd: workspace, stdio: 'ignore' });
  const seen = new Set<string>();
  for (let round = 0; round < 3_000; round++) {
    const opened = await openInside(workspace, 'src/b.txt');
    if (opened.type !== 'file') continue;
    seen.add(await opened.handle.readFile('utf8'));
    await opened.handle.close();
  }
  swapper.kill('SIGKILL');
  expect([...seen]).toEqual(['two\n']);
});

test('a folder, an absent file and a file below a file count as missing', async () => {
  expect(await look(['src', 'no', 'a.txt/x', './/a.txt'])).toMatchObject({
    fault: { kind: 'evidence' },
    missing: ['src', 'no', 'a.txt/x'],
    evidence: [{ path: 'a.txt', bytes: 4 }],
  });
});

test('a file that takes too long to read counts as missing', async () => {
  writeFileSync(inside('large'), '');
  truncateSync(inside('large'), 2 ** 40);
  expect(await look(['a.txt', 'large'], { msMax: 50 })).toMatchObject({
    missing: ['large'],
    evidence: [{ path: 'a.txt' }],
  });
});

import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { copyThread, type Transcripts } from './copy-thread.js';

const THREAD = '01a1e153-0ffb-71d2-8af7-910927e79d49';
const FOLDER: Transcripts = { folder: 'sessions' };
const BY_WORKSPACE: Transcripts = { folder: 'sessions', nameOf: (workspace) => workspace.replace(/\W/g, '-') };
const at = (ms: number) => ({ type: 'message', timestamp: new Date(ms).toISOString() });

let root: string;
let from: { home: string; workspace: string; thread: string; untilMs: number };
let to: { home: string; workspace: string };

beforeEach(() => {
  root = mkdtempSync(path.join(os.tmpdir(), 'baton-copy-'));
  onTestFinished(() => rmSync(root, { recursive: true }));
  from = { home: path.join(root, 'j/agent'), workspace: path.join(root, 'j/work'), thread: THREAD, untilMs: 2_000 };
  to = { home: path.join(root, "f$&'/agent"), workspace: path.join(root, "f$&'/work") };
});

function keep(text: string, folder = 'sessions/2026'): void {
  mkdirSync(path.join(from.home, folder), { recursive: true });
  writeFileSync(path.join(from.home, folder, `rollout-${THREAD}.jsonl`), text);
}

const lines = (...objects: object[]) => objects.map((one) => `${JSON.stringify(one)}\n`).join('');
const copied = (thread: string | undefined) =>
  readFileSync(path.join(to.home, `sessions/2026/rollout-${thread}.jsonl`), 'utf8');

async function copy(how = FOLDER): Promise<string | undefined> {
  const made = await copyThread(how, from, to);
  return 'thread' in made ? made.thread : undefined;
}

test('a copy ends where the conversation was, has a name of its own, and means its own folders', async () => {
  const first = { ...at(1_000), id: THREAD, cwd: from.workspace, state: `${from.home}/x` };
  const untimed = { type: 'cost' };
  keep(lines(first, untimed, at(2_000), at(2_001), untimed, at(1_500)));
  const thread = await copy();
  expect(thread).not.toBe(THREAD);
  const own = { ...first, id: thread, cwd: to.workspace, state: `${to.home}/x` };
  expect(copied(thread)).toBe(lines(own, untimed, at(2_000)));
  expect(readdirSync(path.join(to.home, 'sessions/2026'))).toHaveLength(1);
});

test('what is being written just now is left out', async () => {
  keep(`${lines(at(1_000))}{"type":"mess`);
  expect(copied(await copy())).toBe(lines(at(1_000)));
});

test('those of a workspace come to the folder of the other one', async () => {
  keep(lines(at(1_000)), path.join('sessions', from.workspace.replace(/\W/g, '-')));
  const thread = await copy(BY_WORKSPACE);
  const folder = path.join(to.home, 'sessions', to.workspace.replace(/\W/g, '-'));
  expect(readdirSync(folder)).toEqual([`rollout-${thread}.jsonl`]);
});

test.each<[string, () => void]>([
  ['is gone', () => {}],
  ['begins later', () => keep(lines(at(3_000)))],
  ['is no conversation', () => keep('secret\n')],
  [
    'is named by a piece of a name',
    () => {
      keep(lines(at(1_000)));
      from.thread = THREAD.slice(-4);
    },
  ],
  [
    'lies behind a link',
    () => {
      keep(lines(at(1_000)), 'elsewhere/2026');
      symlinkSync(path.join(from.home, 'elsewhere'), path.join(from.home, 'sessions'));
    },
  ],
  [
    'is a link',
    () => {
      keep(lines(at(1_000)), 'elsewhere');
      mkdirSync(path.join(from.home, 'sessions'));
      const name = `rollout-${THREAD}.jsonl`;
      symlinkSync(path.join(from.home, 'elsewhere', name), path.join(from.home, 'sessions', name));
    },
  ],
  [
    'would come to a folder that an agent has turned into a link',
    () => {
      keep(lines(at(1_000)));
      mkdirSync(to.home, { recursive: true });
      symlinkSync(root, path.join(to.home, 'sessions'));
    },
  ],
])('one that %s is not copied', async (_, make) => {
  make();
  expect(await copy()).toBeUndefined();
  expect(readdirSync(root).filter((name) => name.startsWith('2026'))).toEqual([]);
});

test('one that lies in no folder of its workspace is not copied: nobody would find the copy', async () => {
  keep(lines(at(1_000)));
  expect(await copy(BY_WORKSPACE)).toBeUndefined();
});

import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { DO_DEED } from '../core/session/session-effects.js';
import type { Deeds } from '../engine/ports.js';
import { endNotedPatch, notedPatches } from './noted-patches.js';
import { planPatch } from './patch/plan-patch.js';

const TEXT = '*** Begin Patch\n*** Add File: a.txt\n+new\n*** Update File: b.txt\n@@\n-old\n+new\n*** End Patch';
const HELD = { run: 'j', epoch: 1 };
const { signal } = new AbortController();
const effect = (deed: string) =>
  ({ type: 'Perform', key: 'call-1', deed, input: { plan: { sha256: 'p', bytes: 1 } } }) as const;

async function stage() {
  const root = mkdtempSync(path.join(os.tmpdir(), 'baton-note-'));
  onTestFinished(() => rmSync(root, { recursive: true }));
  const cwd = path.join(root, 'workspace');
  mkdirSync(cwd);
  writeFileSync(path.join(cwd, 'b.txt'), 'old\n');
  const patch = await planPatch({ text: TEXT, cwd });
  const body = async () => new TextEncoder().encode(JSON.stringify({ kind: 'patch', patch }));
  return { cwd, note: path.join(root, 'patch.json'), body };
}

test('a patch that somebody was killed in is ended by whoever comes next', async () => {
  const { cwd, note, body } = await stage();
  const killed: Deeds = {
    async perform() {
      throw new Error('killed');
    },
  };
  await expect(notedPatches(killed, { body }, note).perform(HELD, effect(DO_DEED.patch), signal)).rejects.toThrow();
  await endNotedPatch(note, cwd);
  expect(readdirSync(cwd)).toEqual(['a.txt', 'b.txt']);
  expect(readFileSync(path.join(cwd, 'b.txt'), 'utf8')).toBe('new\n');
  expect(existsSync(note)).toBe(false);
});

test('where a file has changed meanwhile all of it is left as it is', async () => {
  const { cwd, note, body } = await stage();
  writeFileSync(note, await body());
  writeFileSync(path.join(cwd, 'b.txt'), 'other\n');
  await endNotedPatch(note, cwd);
  expect([readdirSync(cwd), existsSync(note)]).toEqual([['b.txt'], false]);
});

test('the note is there while the patch is done, and only then; nothing else is noted', async () => {
  const { cwd, note, body } = await stage();
  const seen: boolean[] = [];
  const deeds: Deeds = {
    async perform() {
      seen.push(existsSync(note));
      return { result: {} };
    },
  };
  const noted = notedPatches(deeds, { body }, note);
  await noted.perform(HELD, effect(DO_DEED.patch), signal);
  await noted.perform(HELD, effect(DO_DEED.exec), signal);
  expect([seen, existsSync(note)]).toEqual([[true, false], false]);
  await endNotedPatch(note, cwd);
  expect(readdirSync(cwd)).toEqual(['b.txt']);
});

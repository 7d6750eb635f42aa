import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { sessionFile } from './session-file.js';

function home(): string {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'baton-sessions-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

const KEPT = { session: 'a'.repeat(64), token: 'b'.repeat(64), proof: 'c'.repeat(64), until_ms: 5 };

test('sessions are kept for the owner of the home alone, and read as they were written', async () => {
  const folder = home();
  const file = sessionFile(folder);
  expect(await file.read(), 'there is none yet').toEqual([]);
  await file.write([KEPT]);
  expect(await file.read()).toEqual([KEPT]);
  expect(statSync(path.join(folder, 'sessions.json')).mode & 0o777).toBe(0o600);
});

test.each([
  ['cut off', '[{"session":"a'],
  ['no list', '{"session":"x"}'],
  ['no hashes', JSON.stringify([{ ...KEPT, proof: 'guess' }, null, 7])],
  ['no time', JSON.stringify([{ ...KEPT, until_ms: 'for ever' }])],
])('a file that is %s logs nobody in', async (_, text) => {
  const folder = home();
  writeFileSync(path.join(folder, 'sessions.json'), text);
  expect(await sessionFile(folder).read()).toEqual([]);
});

import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import {
  BRIDGE_BYTES_MAX,
  REJECTED_FILE,
  REQUEST_FILE,
  RESPONSE_FILE,
  STATE_FILE,
} from '../contracts/bridge/bridge-file-names.js';
import { bridgeFolder } from './bridge-folder.js';

function newFolder(): string {
  const dir = mkdtempSync(path.join(tmpdir(), 'baton-folder-'));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  return dir;
}

test('the three files are seen under the names of the contract, and what is not there is nothing [R182, R223, R224]', async () => {
  const dir = newFolder();
  expect(await bridgeFolder.look(dir)).toEqual({ request: null, response: null, state: null });
  expect(await bridgeFolder.look(path.join(dir, 'gone'))).toEqual({ request: null, response: null, state: null });
  for (const [name, text] of [
    [REQUEST_FILE, 'q'],
    [RESPONSE_FILE, 'r'],
    [STATE_FILE, 's'],
  ] as const)
    writeFileSync(path.join(dir, name), text);
  const seen = await bridgeFolder.look(dir);
  const texts = [seen.request, seen.response, seen.state].map(
    (file) => file?.bytes && Buffer.from(file.bytes).toString(),
  );
  expect(texts).toEqual(['q', 'r', 's']);
});

test('what is written is whole, for its owner alone, and leaves nothing else behind', async () => {
  const dir = newFolder();
  for (const text of ['first', 'second']) await bridgeFolder.write(dir, 'response', text);
  expect(readdirSync(dir)).toEqual([RESPONSE_FILE]);
  expect(readFileSync(path.join(dir, RESPONSE_FILE), 'utf8')).toBe('second');
  expect(statSync(path.join(dir, RESPONSE_FILE)).mode & 0o777).toBe(0o600);
});

test('a link is neither read nor written through', async () => {
  const dir = newFolder();
  const outside = path.join(newFolder(), 'outside');
  writeFileSync(outside, 'untouched');
  symlinkSync(outside, path.join(dir, RESPONSE_FILE));
  expect((await bridgeFolder.look(dir)).response).toMatchObject({ bytes: null, problem: 'it is a link' });
  await bridgeFolder.write(dir, 'response', 'answer');
  expect([readFileSync(outside, 'utf8'), readFileSync(path.join(dir, RESPONSE_FILE), 'utf8')]).toEqual([
    'untouched',
    'answer',
  ]);
});

test('a folder, a pipe and a file without end are no files, and nobody waits for them', async () => {
  const dir = newFolder();
  mkdirSync(path.join(dir, REQUEST_FILE));
  execFileSync('mkfifo', [path.join(dir, RESPONSE_FILE)]);
  writeFileSync(path.join(dir, STATE_FILE), '');
  truncateSync(path.join(dir, STATE_FILE), BRIDGE_BYTES_MAX + 1);
  const { request, response, state } = await bridgeFolder.look(dir);
  expect([request?.bytes, response?.bytes, state?.bytes]).toEqual([null, null, null]);
  expect([request?.problem, response?.problem]).toEqual(['it is no file', 'it is no file']);
  expect(state?.problem).toContain('bytes');
});

test('what is not there is removed without a word, and a response is set aside [R227]', async () => {
  const dir = newFolder();
  await bridgeFolder.remove(dir, 'state');
  await bridgeFolder.write(dir, 'response', 'stale');
  expect(await bridgeFolder.setResponseAside(dir)).toBe(REJECTED_FILE);
  expect(readFileSync(path.join(dir, REJECTED_FILE), 'utf8')).toBe('stale');
  expect(existsSync(path.join(dir, RESPONSE_FILE))).toBe(false);
});

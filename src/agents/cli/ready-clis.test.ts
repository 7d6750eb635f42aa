import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readyClis } from './ready-clis.js';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'baton-ready-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

function install(name: string, script: string): void {
  const file = path.join(folder, name);
  writeFileSync(file, `#!/bin/sh\n${script}\n`);
  chmodSync(file, 0o755);
}
const KEYS = { ANTHROPIC_API_KEY: 'a', OPENAI_API_KEY: 'o' };
const ready = () => readyClis({ PATH: folder, HOME: folder, ...KEYS }, {});

test('who is installed and has a key is ready, the preferred one first', async () => {
  install('codex', 'echo 99.0.0');
  install('claude', 'echo 99.0.0');
  expect(await ready()).toEqual([
    { id: 'claude', login: 'key' },
    { id: 'codex', login: 'key' },
  ]);
});

test.each([
  ['does not start', 'echo "native binary not installed" >&2; exit 1'],
  ['is too old', 'echo 0.0.1'],
])('one that %s is not ready, whatever its login is', async (_, script) => {
  install('codex', 'echo 99.0.0');
  install('claude', script);
  expect(await ready()).toEqual([{ id: 'codex', login: 'key' }]);
});

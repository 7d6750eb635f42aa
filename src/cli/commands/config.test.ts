import { spawn } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { schemas } from '../../contracts/generated/validators/schemas.js';
import { CONFIG_KEYS } from '../../settings/config-keys.js';
import type { RunCommand } from '../command.js';
import { recordingIo } from '../recording-io.js';
import { runConfigGet, runConfigList, runConfigSet } from './config.js';

let folder: string;
let home: string;
let file: string;
beforeEach(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'baton-config-'));
  home = path.join(folder, 'home');
  file = path.join(home, 'config.json');
});
afterEach(() => rm(folder, { recursive: true, force: true }));

async function call(run: RunCommand, positionals: string[], json = false, where = home) {
  const io = recordingIo({ cwd: folder, env: { BATON_HOME: where, HOME: folder } });
  await run({ positionals, values: { json } }, io);
  return io.said;
}
const set = (...words: string[]) => call(runConfigSet, words);
const get = async (key: string) => (await call(runConfigGet, [key])).out;
const saved = async () => JSON.parse(await readFile(file, 'utf8'));

describe('the settings', () => {
  test('are those of the schema, with its words', () => {
    expect(CONFIG_KEYS).toContainEqual({
      key: 'limits.cost_usd',
      type: 'number',
      description: 'Money, in US dollars.',
    });
    expect(CONFIG_KEYS.find(({ key }) => key === 'on_limit')).toMatchObject({ choices: ['wait', 'ask', 'fallback'] });
    const groups = new Set(CONFIG_KEYS.map(({ key }) => key.split('.')[0]));
    const { properties } = schemas.config as { properties: object };
    // Tools have names that people give them.
    const fields = Object.keys(properties).filter((name) => !['$schema', 'schema_version', 'tools'].includes(name));
    expect([...groups]).toEqual(fields);
  });
});

describe('baton config list', () => {
  test('tells the limits that hold when nothing is set', async () => {
    const { out } = await call(runConfigList, []);
    expect(out).toMatch(/limits\.cost_usd +5 \(default\)/);
    expect(out).toMatch(/limits\.time_minutes +60 \(default\)/);
    expect(out).toMatch(/limits\.tokens +3000000 \(default\)/);
    expect(await get('limits.cost_usd')).toBe('5\n');
  });
});

describe('baton config set', () => {
  test('makes the home for this user alone and keeps what is there', async () => {
    await set('agent', 'codex');
    await set('limits.cost_usd', '2.5');
    await set('limits.tokens', '100000');
    await set('approvals.four_eyes', 'true');
    await set('classification.domain', 'law, tax');
    await set('classification.role', '["judge"]');
    expect(await saved()).toEqual({
      agent: 'codex',
      limits: { cost_usd: 2.5, tokens: 100000 },
      approvals: { four_eyes: true },
      classification: { domain: ['law', 'tax'], role: ['judge'] },
    });
    expect((await stat(home)).mode & 0o777).toBe(0o700);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect(await readdir(home)).toEqual(['config.json']);
  });

  test.each([
    ['limits.tokens', '1.5'],
    ['limits.tokens', ''],
    ['limits.tokens', '1e3'],
    ['limits.tokens', '99999999999999999999'],
    ['limits.cost_usd', 'five'],
    ['limits.cost_usd', 'Infinity'],
    ['approvals.four_eyes', 'yes'],
    ['on_limit', 'explode'],
    ['classification.domain', '["law"'],
  ])('refuses %s = %j as wrong usage and writes nothing', async (key, value) => {
    await expect(set(key, value)).rejects.toMatchObject({ code: 'USAGE', message: expect.stringContaining(key) });
    await expect(stat(file)).rejects.toThrow();
  });

  test.each([
    ['timeout_seconds', '0'],
    ['limits.cost_usd', '-1'],
    ['agent', ' '],
    ['classification.domain', 'no spaces here'],
  ])('refuses %s = %j by the contract and writes nothing', async (key, value) => {
    await expect(set(key, value)).rejects.toMatchObject({ code: 'SCHEMA_INVALID' });
    expect(await readdir(home)).toEqual([]);
  });

  test.each(['__proto__.polluted', 'constructor', 'limits.__proto__'])('knows no setting %s', async (key) => {
    await expect(set(key, '1')).rejects.toMatchObject({ code: 'USAGE' });
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  });

  test('writes through a link to where the settings are really kept', async () => {
    await mkdir(home);
    const kept = path.join(folder, 'dotfiles.json');
    await writeFile(kept, '{"agent":"claude"}');
    await symlink(kept, file);
    await set('verify', 'warn');
    expect(JSON.parse(await readFile(kept, 'utf8'))).toEqual({ agent: 'claude', verify: 'warn' });
  });

  test('many at once lose nothing', async () => {
    const keys = CONFIG_KEYS.filter(({ key }) => key.startsWith('classification.') || key.startsWith('limits.'));
    await Promise.all(keys.map(({ key, type }) => set(key, type === 'array' ? 'word' : '7')));
    const after = await saved();
    expect([...Object.keys(after.limits), ...Object.keys(after.classification)].sort()).toEqual(
      keys.map(({ key }) => key.split('.')[1]).sort(),
    );
  });
});

describe('a home that cannot be used', () => {
  test('because it is a file is refused by name', async () => {
    await writeFile(home, '');
    await expect(set('agent', 'codex')).rejects.toMatchObject({ code: 'HOME_UNUSABLE', details: { home } });
    await expect(get('agent')).rejects.toMatchObject({ code: 'HOME_UNUSABLE' });
  });

  test('because it cannot be made is refused by name', async () => {
    await writeFile(home, '');
    const deeper = path.join(home, 'deeper');
    await expect(call(runConfigSet, ['agent', 'codex'], false, deeper)).rejects.toMatchObject({
      code: 'HOME_UNUSABLE',
      details: { home: deeper },
    });
  });

  test('because nothing can be written there is refused by name', async () => {
    await mkdir(file, { recursive: true });
    await mkdir(path.join(file, 'in the way'));
    await expect(set('agent', 'codex')).rejects.toMatchObject({ code: 'CONFIG_INVALID', details: { file } });
    // A folder in which the kernel lets nobody, not even root, make a file.
    const sealed = call(runConfigSet, ['agent', 'codex'], false, '/proc/self/fdinfo');
    if (process.platform === 'linux') await expect(sealed).rejects.toMatchObject({ code: 'FILE_UNWRITABLE' });
    else await expect(sealed).rejects.toThrow();
  });
});

describe('a damaged config.json', () => {
  test.each(['', '{"agent":', '[]', '{"agent":7}', '{"nonsense":true}', '{"agent":"a","agent":"b"}', '\u0000'])(
    '%j is refused by every command and left as it is',
    async (text) => {
      await mkdir(home);
      await writeFile(file, text);
      const refusal = { code: 'CONFIG_INVALID', message: expect.stringContaining(file) };
      await expect(set('agent', 'codex')).rejects.toMatchObject(refusal);
      await expect(get('agent')).rejects.toMatchObject(refusal);
      await expect(call(runConfigList, [])).rejects.toMatchObject(refusal);
      expect(await readFile(file, 'utf8')).toBe(text);
      expect(await readdir(home)).toEqual(['config.json']);
    },
  );
});

describe('baton config get', () => {
  test('prints the value, else the default, else nothing on standard output', async () => {
    await set('timeout_seconds', '60');
    expect(await get('timeout_seconds')).toBe('60\n');
    expect(await get('sandbox.mode')).toBe('auto\n');
    expect(await call(runConfigGet, ['agent'])).toEqual({
      out: '',
      err: 'agent is not set. Set it: baton config set agent VALUE\n',
    });
  });

  test('with --json tells where the value is from', async () => {
    await set('agent', 'codex');
    const json = async (key: string) => JSON.parse((await call(runConfigGet, [key], true)).out);
    expect(await json('agent')).toEqual({ key: 'agent', value: 'codex', source: 'file' });
    expect(await json('verify')).toEqual({ key: 'verify', value: 'strict', source: 'default' });
    expect(await json('fallback')).toEqual({ key: 'fallback', value: null, source: 'unset' });
  });

  test('suggests the setting that was meant, and lists a group', async () => {
    await expect(get('limits.cost')).rejects.toMatchObject({ message: expect.stringContaining('limits.cost_usd?') });
    await expect(get('limits')).rejects.toMatchObject({
      code: 'USAGE',
      message: expect.stringContaining('limits.tokens'),
    });
    await expect(get('zebra')).rejects.toMatchObject({ message: expect.stringContaining('baton config list') });
  });
});

describe('baton config list', () => {
  test('shows every setting within 80 columns', async () => {
    await set('agent', 'a-very-long-agent-name-that-does-not-fit');
    const { out } = await call(runConfigList, []);
    expect(out.split('\n').filter((line) => line.length > 80)).toEqual([]);
    for (const { key } of CONFIG_KEYS) expect(out).toContain(`  ${key} `);
    expect(out).toContain('strict (default)');
  });

  test('with --json gives key, type, value and description', async () => {
    const { file: named, items } = JSON.parse((await call(runConfigList, [], true)).out);
    expect(named).toBe(file);
    expect(items).toContainEqual({
      key: 'timeout_seconds',
      type: 'integer',
      description: 'Time for one handoff, in seconds.',
      default: 1800,
      value: 1800,
      source: 'default',
    });
  });
});

test('the lock of a process that died does not stop a change', async () => {
  await mkdir(home);
  const child = spawn('true');
  await new Promise((resolve) => child.once('exit', resolve));
  await writeFile(`${file}.lock`, `${child.pid} ${os.hostname()}`);
  await set('agent', 'codex');
  expect(await saved()).toEqual({ agent: 'codex' });
});

import { chmod, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { recordingIo } from '../recording-io.js';
import { doctorWith } from './doctor.js';

let folder: string;
let bin: string;
beforeEach(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'baton-doctor-'));
  bin = path.join(folder, 'bin');
  await mkdir(bin);
});
afterEach(() => rm(folder, { recursive: true, force: true }));

/** A machine whose only programs are the ones given here. */
async function doctor(programs: Record<string, string>, values: Record<string, string | boolean> = {}, env = {}) {
  for (const [name, script] of Object.entries(programs)) {
    await writeFile(path.join(bin, name), `#!/bin/sh\n${script}\n`);
    await chmod(path.join(bin, name), 0o755);
  }
  const io = recordingIo({ cwd: folder, env: { HOME: folder, PATH: bin, LANG: 'en_US.UTF-8', ...env } });
  const exit = await doctorWith(async () => ({ type: 'holds' }))({ positionals: [], values }, io);
  return { exit, ...io.said };
}

const CLAUDE = { claude: 'echo "2.1.197 (Claude Code)"', git: 'echo git version 2.43.0' };
const KEY = { ANTHROPIC_API_KEY: 's3cret-value' };

describe('baton doctor', () => {
  test('exits 0 when one agent can work, and shows no secret', async () => {
    const { exit, out, err } = await doctor(CLAUDE, {}, KEY);
    expect(exit).toBe(0);
    expect(err).toBe('');
    expect(out).toMatch(/^✓ node [\d.]+ · git 2\.43\.0 · SQLite 3\.[\d.]+ \(WAL, every commit synced\)$/m);
    expect(out).toMatch(/^✓ claude {4}2\.1\.197 {3}API key \(ANTHROPIC_API_KEY\)$/m);
    expect(out).toMatch(/Ready: claude\. {3}try: baton init\n$/);
    expect(out).not.toContain('s3cret');
  });

  test('exits 1 when none can, and a machine with nothing at all gets a report', async () => {
    const { exit, out } = await doctor({});
    expect(exit).toBe(1);
    expect(out).toContain('✗ git       not found');
    expect(out).toContain('- claude, codex, gemini, opencode not found');
    expect(out).toContain('No agent can work yet.');
  });

  test('leaves nothing behind: no home, no probe file', async () => {
    await doctor(CLAUDE, {}, KEY);
    expect(await readdir(folder)).toEqual(['bin']);
  });

  test('agents that hang, print garbage or fail become problems within the time limit', async () => {
    const hanging = `${process.platform === 'win32' ? '' : '/bin/'}sleep 60`;
    const startedMs = performance.now();
    const { exit, out } = await doctor({
      claude: hanging,
      codex: 'printf "\\033[2J\\000garbage"',
      gemini: 'echo broken install >&2; exit 1',
      opencode: 'kill -9 $$',
    });
    expect(performance.now() - startedMs).toBeLessThan(9000);
    expect(exit).toBe(1);
    expect(out).toContain('✗ claude    claude --version did not answer in 5 s');
    expect(out).toContain('✗ codex     codex --version told no version');
    expect(out).toContain('✗ gemini    gemini --version failed (1): "broken install"');
    expect(out).toContain('✗ opencode  opencode --version was ended by SIGKILL');
    expect(out).not.toContain('\u001b');
  });

  test('with --json prints one value and nothing else', async () => {
    const { exit, out } = await doctor(CLAUDE, { json: true }, { ...KEY, OPENAI_API_KEY: 's3cret-value' });
    const answer = JSON.parse(out);
    expect(exit).toBe(0);
    expect(answer).toMatchObject({ ok: true, ready: ['claude', 'model'] });
    expect(answer.findings.map(({ topic }: { topic: string }) => topic)).toEqual([
      ...['node', 'git', 'sqlite', 'home', 'claude', 'codex', 'gemini', 'opencode', 'model'],
      ...['sandbox', 'server', 'postgres', 'browser'],
    ]);
    expect(out).not.toContain('s3cret');
  });
});

describe('baton doctor on a damaged machine', () => {
  test('tells that the home is a file, without a crash', async () => {
    await writeFile(path.join(folder, 'file'), '');
    const { out } = await doctor(CLAUDE, {}, { ...KEY, BATON_HOME: path.join(folder, 'file') });
    expect(out).toContain('✗ home      ~/file is not a folder');
    const below = await doctor(CLAUDE, {}, { ...KEY, BATON_HOME: path.join(folder, 'file/deeper') });
    expect(below.out).toContain('✗ home      ~/file/deeper is not a folder');
  });

  test('tells of a damaged config.json', async () => {
    await mkdir(path.join(folder, '.baton'), { mode: 0o700 });
    await writeFile(path.join(folder, '.baton/config.json'), '{"sandbox":{"mode":"moat"}}');
    const { out } = await doctor(CLAUDE, {}, KEY);
    expect(out).toContain('✗ config');
  });

  test.each(['C', 'POSIX', 'de_DE.ISO-8859-1', 'x\u0000\u001b'])('writes ASCII in the locale %j', async (LANG) => {
    const { out } = await doctor(CLAUDE, {}, { ...KEY, LANG });
    expect(out).toMatch(/^[ -~\n]+$/);
    expect(out).toMatch(/^ok {3}node /);
  });
});

describe('baton doctor --show-fix', () => {
  test('prints the commands for the sandbox', async () => {
    const programs = process.platform === 'linux' ? { 'apt-get': '' } : {};
    const { exit, out } = await doctor(programs, { 'show-fix': 'sandbox' });
    expect(exit).toBe(0);
    if (process.platform === 'linux') expect(out).toMatch(/^(sudo )?apt-get install -y bubblewrap\nbaton doctor\n$/);
  });

  test('prints the fix of any other topic, or that there is nothing to do', async () => {
    expect((await doctor({ codex: 'echo 1.0.0' }, { 'show-fix': 'codex' })).out).toContain('codex login');
    expect((await doctor({}, { 'show-fix': 'node' })).out).toBe('node needs no repair\n');
    expect(JSON.parse((await doctor({}, { 'show-fix': 'node', json: true })).out)).toEqual({
      topic: 'node',
      commands: [],
    });
  });

  test('suggests the topic that was meant', async () => {
    await expect(doctor({}, { 'show-fix': 'sanbox' })).rejects.toMatchObject({
      code: 'USAGE',
      message: 'Unknown topic: sanbox. Did you mean: sandbox?',
    });
  });
});

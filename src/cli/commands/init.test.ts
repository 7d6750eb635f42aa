import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { recordingIo } from '../recording-io.js';
import { runInit } from './init.js';

let root: string;
beforeEach(async () => {
  root = await mkdtemp(path.join(os.tmpdir(), 'baton-init-'));
  await mkdir(path.join(root, '.git'));
});
afterEach(() => rm(root, { recursive: true, force: true }));

async function init(files: Record<string, string>, values: Record<string, boolean> = {}, cwd = root) {
  for (const [name, text] of Object.entries(files)) {
    await mkdir(path.join(root, path.dirname(name)), { recursive: true });
    await writeFile(path.join(root, name), text);
  }
  const io = recordingIo({ cwd });
  const exit = await runInit({ positionals: [], values }, io);
  return { exit, ...io.said };
}
const saved = async () => JSON.parse(await readFile(path.join(root, 'baton.json'), 'utf8'));

const TESTED = JSON.stringify({ scripts: { test: 'vitest run' }, devDependencies: { vitest: '4' } });

describe('baton init finds', () => {
  test.each<[string, Record<string, string>, object]>([
    ['npm', { 'package.json': TESTED, 'package-lock.json': '{}' }, { setup: 'npm ci', checks: ['npm test'] }],
    ['npm without a lock', { 'package.json': TESTED }, { setup: 'npm install', checks: ['npm test'] }],
    [
      'pnpm',
      { 'package.json': TESTED, 'pnpm-lock.yaml': '' },
      { setup: 'pnpm install --frozen-lockfile', checks: ['pnpm test'] },
    ],
    [
      'old yarn',
      { 'package.json': TESTED, 'yarn.lock': '' },
      { setup: 'yarn install --frozen-lockfile', checks: ['yarn test'] },
    ],
    [
      'new yarn',
      { 'package.json': TESTED, 'yarn.lock': '', '.yarnrc.yml': '' },
      { setup: 'yarn install --immutable', checks: ['yarn test'] },
    ],
    [
      'bun',
      { 'package.json': TESTED, 'bun.lock': '' },
      { setup: 'bun install --frozen-lockfile', checks: ['bun run test'] },
    ],
    [
      'a package that needs nothing',
      { 'package.json': '{"scripts":{"test":"node --test"}}' },
      { checks: ['npm test'] },
    ],
    [
      'the script npm init writes, which is no test',
      { 'package.json': '{"scripts":{"test":"echo \\"Error: no test specified\\" && exit 1"}}' },
      { checks: [] },
    ],
    ['a damaged package.json', { 'package.json': '{"scripts":' }, { checks: [] }],
    ['uv', { 'pyproject.toml': 'dev = ["pytest"]', 'uv.lock': '' }, { setup: 'uv sync', checks: ['uv run pytest'] }],
    [
      'poetry',
      { 'pyproject.toml': '[tool.poetry]', 'poetry.lock': '', 'tests/conftest.py': '' },
      { setup: 'poetry install', checks: ['poetry run pytest'], protect: ['tests/**'] },
    ],
    ['pytest alone', { 'pytest.ini': '' }, { checks: ['python -m pytest'] }],
    ['Python without pytest', { 'setup.py': '' }, { checks: [] }],
    ['Rust', { 'Cargo.toml': '' }, { setup: 'cargo fetch', checks: ['cargo test'] }],
    ['Go', { 'go.mod': 'module x' }, { setup: 'go mod download', checks: ['go test ./...'] }],
    ['a Makefile', { Makefile: 'build:\n\ntest: build\n\tsh t.sh\n' }, { checks: ['make test'] }],
    ['a Makefile without that target', { Makefile: 'test := 1\ntests:\n' }, { checks: [] }],
    [
      'no second check in a Makefile',
      { Makefile: 'test:\n', 'Cargo.toml': '' },
      { checks: ['cargo test'], setup: 'cargo fetch' },
    ],
    [
      'two languages at once',
      { 'package.json': TESTED, 'package-lock.json': '{}', 'go.mod': '' },
      { setup: 'npm ci', checks: ['npm test', 'go test ./...'] },
    ],
    [
      'test folders, not files of that name',
      { 'test/a.js': '', 'e2e/b.js': '', spec: '' },
      { checks: [], protect: ['test/**', 'e2e/**'] },
    ],
    ['no project in folders that are named like its files', { 'go.mod/x': '', 'Cargo.toml/x': '' }, { checks: [] }],
    ['nothing', {}, { checks: [] }],
  ])('%s', async (_, files, expected) => {
    expect((await init(files)).exit).toBe(0);
    expect(await saved()).toEqual({ schema_version: '1.0.0', ...expected });
  });
});

describe('baton init', () => {
  test('says what it found and what comes next', async () => {
    const { out } = await init({ 'package.json': TESTED, 'package-lock.json': '{}', 'test/a.js': '' });
    expect(out).toBe(`\
Wrote baton.json, from package.json, package-lock.json
  setup    npm ci
  checks   npm test
  protect  test/**
Next: baton doctor
`);
  });

  test('says what is missing when there is no check', async () => {
    expect((await init({})).out).toContain('SUCCESS (unchecked)');
  });

  test('names the setups it did not take', async () => {
    const { out } = await init({ 'package.json': TESTED, 'go.mod': '' });
    expect(out).toContain('not taken, there can be one: go mod download');
  });

  test('writes at the top of the repository, and leaves no other file', async () => {
    const deep = path.join(root, 'a/b');
    await mkdir(deep, { recursive: true });
    const { out } = await init({ 'go.mod': '' }, {}, deep);
    expect(out).toContain('Wrote ../../baton.json');
    expect((await readdir(root)).sort()).toEqual(['.git', 'a', 'baton.json', 'go.mod']);
    expect(await readdir(deep)).toEqual([]);
  });

  test('writes where one stands outside of a repository', async () => {
    await rm(path.join(root, '.git'), { recursive: true });
    const { out } = await init({}, { json: true });
    expect(JSON.parse(out)).toEqual({
      file: path.join(root, 'baton.json'),
      project: { schema_version: '1.0.0', checks: [] },
    });
  });

  test('keeps a file that is there unless forced', async () => {
    await expect(init({ 'baton.json': 'mine', 'go.mod': '' })).rejects.toMatchObject({
      code: 'FILE_EXISTS',
      details: { file: path.join(root, 'baton.json') },
    });
    expect(await readFile(path.join(root, 'baton.json'), 'utf8')).toBe('mine');
    await init({}, { force: true });
    expect(await saved()).toMatchObject({ checks: ['go test ./...'] });
  });

  test('never writes through a link that a repository brought along', async () => {
    const outside = path.join(root, '.git/outside');
    await writeFile(outside, 'precious');
    await symlink(outside, path.join(root, 'baton.json'));
    await expect(init({})).rejects.toMatchObject({ code: 'FILE_EXISTS' });
    await init({}, { force: true });
    expect(await readFile(outside, 'utf8')).toBe('precious');
    expect(await saved()).toEqual({ schema_version: '1.0.0', checks: [] });
  });

  test('a folder that cannot be written is refused by name', async () => {
    const io = recordingIo({ cwd: '/proc' });
    await expect(runInit({ positionals: [], values: {} }, io)).rejects.toMatchObject({
      code: 'FILE_UNWRITABLE',
      details: { file: '/proc/baton.json' },
    });
  });
});

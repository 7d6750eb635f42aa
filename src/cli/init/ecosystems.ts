import { readJson } from '../../contracts/shared/read-json.js';

/** The root of a repository as detection sees it. */
export type Folder = {
  has(name: string): boolean;
  /** Undefined when there is no such file. */
  read(name: string): string | undefined;
};

export type Detected = { from: string; setup?: string; checks: readonly string[] };

/** Each looks for one kind of project. Only what is there is used; nothing is guessed from a language alone. */
export const ECOSYSTEMS: readonly ((folder: Folder) => Detected | undefined)[] = [
  detectNode,
  detectPython,
  (folder) => whenThere(folder, 'Cargo.toml', { setup: 'cargo fetch', checks: ['cargo test'] }),
  (folder) => whenThere(folder, 'go.mod', { setup: 'go mod download', checks: ['go test ./...'] }),
];

/** A Makefile mostly calls what the others found already, so it counts only when they found no check. */
export function detectMakefile(folder: Folder): Detected | undefined {
  const name = ['GNUmakefile', 'makefile', 'Makefile'].find((candidate) => folder.has(candidate));
  const hasTarget = name && /^test\s*:(?!=)/m.test(folder.read(name) ?? '');
  return hasTarget ? { from: name, checks: ['make test'] } : undefined;
}

function whenThere(folder: Folder, file: string, found: Omit<Detected, 'from'>): Detected | undefined {
  return folder.has(file) ? { from: file, ...found } : undefined;
}

type NodeManager = { lock: string; setup: string; test: string };
const NODE_MANAGERS: readonly NodeManager[] = [
  { lock: 'pnpm-lock.yaml', setup: 'pnpm install --frozen-lockfile', test: 'pnpm test' },
  { lock: 'bun.lock', setup: 'bun install --frozen-lockfile', test: 'bun run test' },
  { lock: 'bun.lockb', setup: 'bun install --frozen-lockfile', test: 'bun run test' },
  { lock: 'yarn.lock', setup: 'yarn install --frozen-lockfile', test: 'yarn test' },
  { lock: 'package-lock.json', setup: 'npm ci', test: 'npm test' },
  { lock: 'npm-shrinkwrap.json', setup: 'npm ci', test: 'npm test' },
];
const UNLOCKED = { setup: 'npm install', test: 'npm test' };

function detectNode(folder: Folder): Detected | undefined {
  const text = folder.read('package.json');
  if (text === undefined) return undefined;
  const { scripts, dependencies, devDependencies } = objectIn(text);
  const locked = NODE_MANAGERS.find(({ lock }) => folder.has(lock));
  const manager = locked ?? UNLOCKED;
  // Yarn 2 and later have another word for it and their own settings file.
  const setup = locked?.lock === 'yarn.lock' && folder.has('.yarnrc.yml') ? 'yarn install --immutable' : manager.setup;
  const needsSetup = locked !== undefined || [dependencies, devDependencies].some((list) => keysOf(list).length > 0);
  return {
    from: locked ? `package.json, ${locked.lock}` : 'package.json',
    ...(needsSetup && { setup }),
    checks: hasTestScript(scripts) ? [manager.test] : [],
  };
}

/** `npm init` writes a script that only says that there is none. */
function hasTestScript(scripts: unknown): boolean {
  const test = (scripts as Record<string, unknown> | undefined)?.test;
  return typeof test === 'string' && test.trim() !== '' && !test.includes('no test specified');
}

type PythonManager = { lock: string; setup: string; test: string };
const PYTHON_MANAGERS: readonly PythonManager[] = [
  { lock: 'uv.lock', setup: 'uv sync', test: 'uv run pytest' },
  { lock: 'poetry.lock', setup: 'poetry install', test: 'poetry run pytest' },
];
const PYTHON_FILES = ['pyproject.toml', 'setup.cfg', 'setup.py', 'requirements.txt', 'pytest.ini'];
const NAMES_PYTEST = ['pyproject.toml', 'setup.cfg', 'requirements.txt', 'requirements-dev.txt', 'tox.ini'];

function detectPython(folder: Folder): Detected | undefined {
  const from = PYTHON_FILES.find((file) => folder.has(file));
  if (!from) return undefined;
  const usesPytest =
    ['pytest.ini', 'conftest.py', 'tests/conftest.py'].some((file) => folder.has(file)) ||
    NAMES_PYTEST.some((file) => folder.read(file)?.includes('pytest'));
  const manager = PYTHON_MANAGERS.find(({ lock }) => folder.has(lock));
  return {
    from: manager ? `${from}, ${manager.lock}` : from,
    ...(manager && { setup: manager.setup }),
    checks: usesPytest ? [manager?.test ?? 'python -m pytest'] : [],
  };
}

function objectIn(text: string): Record<string, unknown> {
  const read = readJson(text);
  const isObject = 'value' in read && typeof read.value === 'object' && read.value !== null;
  return isObject ? (read.value as Record<string, unknown>) : {};
}

function keysOf(value: unknown): string[] {
  return typeof value === 'object' && value !== null ? Object.keys(value) : [];
}

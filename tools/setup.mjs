// Brings a checkout to the state the two commands need: dependencies of the lockfile, then the build. Uses Node alone.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmdirSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

export const ROOT = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');

export function run(command, args, options = {}) {
  execFileSync(command, args, { cwd: ROOT, stdio: 'inherit', ...options });
}

/** Install scripts are never run: every dependency works without them. */
export function installDependencies(folder = ROOT) {
  if (isInstalled(folder)) return;
  console.error(`installing dependencies${folder === ROOT ? '' : ` of ${path.relative(ROOT, folder)}`} …`);
  // What it says is for people: what a command of Baton prints may be read by a program.
  const stdio = ['ignore', 2, 'inherit'];
  run('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'], { cwd: folder, stdio });
}

function isInstalled(folder) {
  const wanted = JSON.parse(readFileSync(path.join(folder, 'package-lock.json'), 'utf8')).packages;
  const record = path.join(folder, 'node_modules/.package-lock.json');
  if (!existsSync(record)) return false;
  const present = JSON.parse(readFileSync(record, 'utf8')).packages;
  return Object.entries(wanted).every(
    ([name, { version, optional }]) => name === '' || optional || present[name]?.version === version,
  );
}

const BUILD_LOCK = path.join(ROOT, 'node_modules/.baton-build');
const BUILD_MS_MAX = 120_000;

/** Several programs may find the build stale at once, as tests do: one builds, the others wait for it. */
export async function buildIfStale() {
  const { isBuilt } = await import('./stamp.mjs');
  const untilMs = Date.now() + BUILD_MS_MAX;
  while (!isBuilt()) {
    if (!takeBuildLock(untilMs)) {
      await new Promise((resolve) => setTimeout(resolve, 100));
      continue;
    }
    try {
      console.error('building …');
      run(process.execPath, ['tools/build.mjs'], { stdio: ['ignore', 'ignore', 'inherit'] });
      return;
    } finally {
      rmdirSync(BUILD_LOCK);
    }
  }
}

/** A lock that outlives every build was left by one that was killed. */
function takeBuildLock(untilMs) {
  if (Date.now() > untilMs && existsSync(BUILD_LOCK)) rmdirSync(BUILD_LOCK);
  try {
    mkdirSync(BUILD_LOCK);
    return true;
  } catch (failure) {
    if (failure.code === 'EEXIST') return false;
    throw failure;
  }
}

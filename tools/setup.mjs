// Brings a checkout to the state the two commands need: dependencies of the lockfile, then the build. Uses Node alone.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
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
  run('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'], { cwd: folder });
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

export async function buildIfStale() {
  const { isBuilt } = await import('./stamp.mjs');
  if (isBuilt()) return;
  console.error('building …');
  run(process.execPath, ['tools/build.mjs'], { stdio: ['ignore', 'ignore', 'inherit'] });
}

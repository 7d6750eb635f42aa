import { existsSync, mkdirSync, realpathSync, symlinkSync, utimesSync } from 'node:fs';
import path from 'node:path';
import type { Deed } from './deed.js';
import type { JobFolder } from './job-folder.js';
import { keepNewest } from './keep-newest.js';
import { removeFolder } from './remove-folder.js';
import { readRecord } from './workspace-record.js';

/** How package managers are told where to keep what they download; XDG_CACHE_HOME is for all that are not listed. */
const FOLDERS: Readonly<Record<string, string>> = {
  XDG_CACHE_HOME: 'other',
  npm_config_cache: 'npm',
  PNPM_HOME: 'pnpm',
  YARN_GLOBAL_FOLDER: 'yarn',
  BUN_INSTALL_CACHE_DIR: 'bun',
  PIP_CACHE_DIR: 'pip',
  CARGO_HOME: 'cargo',
  GOMODCACHE: 'go',
};
/** Their packages are used where they lie instead of being copied into the workspace, so agents and checks need them too. */
const USED_IN_PLACE: readonly string[] = ['CARGO_HOME', 'GOMODCACHE'];
const REPOSITORIES_MAX = 20;
const KEY_LENGTH = 16;

type PackageCache = { folder: string; env: Readonly<Record<string, string>> };

/**
 * What a setup in a sandbox has instead of the user's caches, which it could poison. All jobs of a repository share it,
 * but for those whose files an agent wrote: what runs in them must not reach the jobs after them.
 */
export function packageCacheFor(deed: Deed, { byAgent }: { byAgent: boolean }): PackageCache {
  const { cache } = deed.folder;
  removeFolder(cache);
  const shared = byAgent ? undefined : sharedFolder(deed);
  const folder = shared ?? cache;
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  if (shared !== undefined) {
    symlinkSync(shared, cache);
    const now = new Date(deed.options.clock.nowMs());
    utimesSync(shared, now, now);
    keepNewest(allOf(deed), REPOSITORIES_MAX);
  }
  return { folder, env: variables(folder, Object.keys(FOLDERS)) };
}

/** What setup has left for agents and checks; undefined when there is nothing. */
export function packagesInPlace({ cache }: JobFolder): PackageCache | undefined {
  if (!existsSync(cache)) return undefined;
  const folder = realpathSync(cache);
  const filled = USED_IN_PLACE.filter((name) => existsSync(path.join(folder, FOLDERS[name] ?? '')));
  return filled.length === 0 ? undefined : { folder, env: variables(folder, filled) };
}

function variables(folder: string, names: readonly string[]): Record<string, string> {
  return Object.fromEntries(names.map((name) => [name, path.join(folder, FOLDERS[name] ?? '')]));
}

function sharedFolder(deed: Deed): string | undefined {
  const commonDir = readRecord(deed.folder)?.repository?.commonDir;
  if (commonDir === undefined) return undefined;
  return path.join(allOf(deed), deed.options.hasher.sha256(commonDir).slice(0, KEY_LENGTH));
}

const allOf = ({ options }: Deed): string => path.join(options.home, 'cache', 'packages');

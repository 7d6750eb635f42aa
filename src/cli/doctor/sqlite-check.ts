import type { Check, Finding } from './finding.js';
import { mountOf } from './mounts.js';
import { nearestFolder } from './nearest-folder.js';
import type { SqliteTrial } from './probe.js';
import { isAtLeast, parseVersion, type Version } from './version.js';

const SYNCHRONOUS_FULL = 2;

/** From here on every SQLite is free of the WAL-reset bug, and within older lines from these patches on. */
const SAFE_SINCE: Version = [3, 52, 0];
const SAFE_PATCHES: readonly Version[] = [
  [3, 44, 6],
  [3, 50, 7],
  [3, 51, 3],
];

export function isSafeSqlite(text: string): boolean {
  const version = parseVersion(text);
  if (isAtLeast(version, SAFE_SINCE)) return true;
  return SAFE_PATCHES.some(([major, minor, patch]) => {
    return version[0] === major && version[1] === minor && version[2] >= patch;
  });
}

export const checkSqlite: Check = async (env) => {
  const folder = await nearestFolder(env.probe, env.home);
  const mount = folder ? await mountOf(env.probe, folder) : undefined;
  // On a network file system the trial could hang this whole process; the home's own line tells what is wrong.
  const trialFolder = folder && !mount?.network && (await env.probe.isWritable(folder)) ? folder : undefined;
  const trial = await env.probe.trySqlite(trialFolder);
  return [{ topic: 'sqlite', ...judge(trial, folder ?? env.home) }];
};

function judge(trial: SqliteTrial, folder: string): Omit<Finding, 'topic'> {
  const { version, driver, onFile } = trial;
  if (!isSafeSqlite(version)) {
    const text = `${version} may lose committed data (WAL-reset bug); ${driver} must bring 3.51.3 or newer`;
    return { status: 'problem', text, fix: 'install Baton again: npm ci, or a newer Node' };
  }
  if (!onFile) return { status: 'warning', text: `${version}, not tried on a file: no writable local folder for it` };
  const holds = onFile.journalMode === 'wal' && onFile.walSeen && onFile.synchronous === SYNCHRONOUS_FULL;
  if (holds && onFile.rowKept) return { status: 'ok', text: `${version} (WAL, every commit synced)` };
  const seen = `journal_mode=${onFile.journalMode}, synchronous=${onFile.synchronous}`;
  const text = `${version} does not keep commits safe in ${folder} (${seen})`;
  return { status: 'problem', text, fix: 'export BATON_HOME=… to a folder on a local disk' };
}

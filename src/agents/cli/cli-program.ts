import { execFile } from 'node:child_process';
import { realpathSync, statSync } from 'node:fs';
import { findProgram } from '../../sandbox/find-program.js';
import type { Environment } from '../metering/providers.js';
import type { Dialect } from './dialect.js';

export type FoundCli = { program: string; version: string } | { problem: string };

const VERSION_MS_MAX = 20_000;
const VERSION = /(\d+)\.(\d+)\.(\d+)/;
const known = new Map<string, Promise<string | undefined>>();

/** Where the program is, and that it is one that can be spoken to. Costs no call of a model. */
export async function findCli(dialect: Dialect, bin: string | undefined, environment: Environment): Promise<FoundCli> {
  const { name, oldest, install } = dialect;
  const found = findProgram(bin ?? name, { cwd: '/', PATH: environment.PATH });
  if ('reason' in found) return { problem: `${found.reason}; install it: ${install}` };
  const version = await versionOf(found.file, environment);
  if (version === undefined)
    return { problem: `${found.file} --version tells no version; install it anew: ${install}` };
  const needed = oldest.join('.');
  if (isOlder(version, oldest)) return { problem: `${name} ${version} is too old, ${needed} is needed: ${install}` };
  return { program: found.file, version };
}

/** Asked once for each program as it is on the disk. */
function versionOf(program: string, environment: Environment): Promise<string | undefined> {
  const file = realpathSync(program);
  const { mtimeMs, size } = statSync(file);
  const key = `${file} ${mtimeMs} ${size}`;
  const asked = known.get(key) ?? askVersion(program, environment);
  known.set(key, asked);
  return asked;
}

function askVersion(program: string, { PATH, HOME }: Environment): Promise<string | undefined> {
  const env = { ...(PATH !== undefined && { PATH }), ...(HOME !== undefined && { HOME }) };
  return new Promise((resolve) => {
    execFile(program, ['--version'], { env, timeout: VERSION_MS_MAX, killSignal: 'SIGKILL' }, (_, stdout) => {
      resolve(VERSION.exec(stdout)?.[0]);
    });
  });
}

function isOlder(version: string, oldest: Dialect['oldest']): boolean {
  const parts = version.split('.').map(Number);
  const index = oldest.findIndex((part, at) => part !== parts[at]);
  return index !== -1 && (parts[index] ?? 0) < (oldest[index] ?? 0);
}

import { type ChildProcess, spawn } from 'node:child_process';
import { realpathSync, statSync } from 'node:fs';
import { findProgram } from '../../sandbox/find-program.js';
import type { Environment } from '../metering/providers.js';
import type { Dialect } from './dialect.js';

export type FoundCli = { program: string; version: string } | { problem: string };

const VERSION_MS_MAX = 20_000;
/** Of what it prints, the beginning is looked at. */
const VERSION_CHARS_MAX = 10_000;
const VERSION = /(\d+)\.(\d+)\.(\d+)/;
const known = new Map<string, string>();

/** Where the program is, and that it is one that can be spoken to. Costs no call of a model. */
export async function findCli(
  dialect: Pick<Dialect, 'name' | 'oldest' | 'install'>,
  bin: string | undefined,
  environment: Environment,
  { versionMsMax = VERSION_MS_MAX } = {},
): Promise<FoundCli> {
  const { name, oldest, install } = dialect;
  const found = findProgram(bin ?? name, { cwd: '/', PATH: environment.PATH });
  if ('reason' in found) return { problem: `${found.reason}; install it: ${install}` };
  const told = await versionOf(found.file, environment, versionMsMax);
  if ('problem' in told) return { problem: `${found.file} --version ${told.problem}; install it anew: ${install}` };
  const { version } = told;
  const needed = oldest.join('.');
  if (isOlder(version, oldest)) return { problem: `${name} ${version} is too old, ${needed} is needed: ${install}` };
  return { program: found.file, version };
}

type Told = { version: string } | { problem: string };

/** Asked once for each program as it is on the disk; again when it told none. */
async function versionOf(program: string, environment: Environment, msMax: number): Promise<Told> {
  const file = realpathSync(program);
  const { mtimeMs, size } = statSync(file);
  const key = `${file} ${mtimeMs} ${size}`;
  const before = known.get(key);
  if (before !== undefined) return { version: before };
  const told = await askVersion(program, environment, msMax);
  if ('version' in told) known.set(key, told.version);
  return told;
}

function askVersion(program: string, { PATH, HOME }: Environment, msMax: number): Promise<Told> {
  const env = { ...(PATH !== undefined && { PATH }), ...(HOME !== undefined && { HOME }) };
  return new Promise((resolve) => {
    // A group of its own, so that whatever it starts is ended with it.
    const child = spawn(program, ['--version'], { env, detached: true, stdio: ['ignore', 'pipe', 'ignore'] });
    let printed = '';
    const end = (told: Told): void => {
      clearTimeout(timer);
      endGroup(child);
      child.stdout.destroy();
      resolve(told);
    };
    const timer = setTimeout(() => end({ problem: `did not answer within ${msMax / 1_000} seconds` }), msMax);
    const look = (): void => {
      const version = VERSION.exec(printed)?.[0];
      end(version === undefined ? { problem: 'tells no version' } : { version });
    };
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      printed += text;
      if (printed.length > VERSION_CHARS_MAX) look();
    });
    child.once('error', ({ message }) => end({ problem: `could not be run: ${message}` }));
    // What it printed may come after its end; nobody it left behind keeps us waiting for the rest.
    child.once('exit', () => endGroup(child));
    child.once('close', look);
  });
}

function endGroup({ pid }: ChildProcess): void {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL');
  } catch {
    // nobody is left of it
  }
}

function isOlder(version: string, oldest: Dialect['oldest']): boolean {
  const parts = version.split('.').map(Number);
  const index = oldest.findIndex((part, at) => part !== parts[at]);
  return index !== -1 && (parts[index] ?? 0) < (oldest[index] ?? 0);
}

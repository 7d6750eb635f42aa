import { mkdir, stat } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { BatonError } from '../contracts/shared/errors.js';

type Environment = Readonly<Record<string, string | undefined>>;

/** The folder of the person, where agents keep their logins. */
export function userFolder(env: Environment): string {
  return env.HOME || os.homedir();
}

/** Baton's own folder. A relative BATON_HOME is meant from where the command was started. */
export function homeFolder({ env, cwd }: { env: Environment; cwd: string }): string {
  return env.BATON_HOME ? path.resolve(cwd, env.BATON_HOME) : path.join(userFolder(env), '.baton');
}

/** Makes the folder for this user alone. One that exists keeps its mode: `baton doctor` tells when it is too open. */
export async function ensureHome(home: string): Promise<void> {
  try {
    await mkdir(home, { recursive: true, mode: 0o700 });
    if ((await stat(home)).isDirectory()) return;
  } catch (failure) {
    const { code } = failure as NodeJS.ErrnoException;
    const why = code === 'EEXIST' || code === 'ENOTDIR' ? 'is not a folder' : `cannot be made (${code})`;
    throw new BatonError('HOME_UNUSABLE', `${home} ${why}`, { home });
  }
  throw new BatonError('HOME_UNUSABLE', `${home} is not a folder`, { home });
}

/** Short form of a path for people. */
export function tilde(file: string, userHome: string): string {
  const inside = path.relative(userHome, file);
  if (inside === '') return '~';
  return inside.startsWith('..') || path.isAbsolute(inside) ? file : `~/${inside}`;
}

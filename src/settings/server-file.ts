import { chmod, open, readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { readJson } from '../contracts/shared/read-json.js';
import { writeAtomically } from '../system/atomic-write.js';
import { newToken } from '../system/new-token.js';
import { ensureHome } from './home.js';

/** Where a server of a home is reached. */
export type ServerFile = { pid: number; url: string; started_at: string };

const fileOf = (home: string): string => path.join(home, 'server.json');

/** As it was written; undefined where there is none, or where it cannot be one. */
export async function readServerFile(home: string): Promise<ServerFile | undefined> {
  const text = await readFile(fileOf(home), 'utf8').catch(() => undefined);
  const read = text === undefined ? undefined : readJson(text);
  if (!read || 'denial' in read || typeof read.value !== 'object' || read.value === null) return undefined;
  const { pid, url, started_at } = read.value as Partial<ServerFile>;
  // Zero and negative numbers would mean process groups.
  if (!Number.isSafeInteger(pid) || (pid ?? 0) <= 0 || typeof url !== 'string') return undefined;
  return { pid: pid as number, url, started_at: String(started_at ?? '') };
}

export async function writeServerFile(home: string, server: ServerFile): Promise<void> {
  await writeAtomically(fileOf(home), `${JSON.stringify(server)}\n`, { mode: 0o600 });
}

/** Only one's own. */
export async function removeServerFile(home: string, pid: number): Promise<void> {
  if ((await readServerFile(home))?.pid === pid) await rm(fileOf(home), { force: true });
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (failure) {
    return (failure as NodeJS.ErrnoException).code === 'EPERM';
  }
}

const TOKEN = /^baton_[\w-]{43}$/;

/** The token of whoever may read this home; made once, for its owner alone. */
export async function localToken(home: string): Promise<string> {
  await ensureHome(home);
  const file = path.join(home, 'token');
  const made = newToken();
  try {
    const handle = await open(file, 'wx', 0o600);
    await handle.writeFile(`${made}\n`);
    await handle.sync();
    await handle.close();
    return made;
  } catch (failure) {
    if ((failure as NodeJS.ErrnoException).code !== 'EEXIST') throw failure;
  }
  await chmod(file, 0o600);
  const token = (await readFile(file, 'utf8')).trim();
  if (TOKEN.test(token)) return token;
  // Cut off while it was made: nobody can know it.
  await rm(file);
  return localToken(home);
}

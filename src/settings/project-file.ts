import { createHash } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { project } from '../contracts/baton/project.js';
import type { ProjectFile } from '../contracts/generated/types/project.js';
import { BatonError } from '../contracts/shared/errors.js';
import { parseFile } from '../contracts/shared/parse-file.js';
import { writeAtomically } from '../system/atomic-write.js';
import { withLock } from '../system/file-lock.js';
import { ensureHome } from './home.js';

const NAME = 'baton.json';

/** What a repository says about its jobs. It names commands to run, so a person agrees to each version of it once. */
export type Project = { file: string; hash: string; trusted: boolean; settings: ProjectFile };

type Trusted = Record<string, string>;

export async function readProject(home: string, repo: string): Promise<Project | undefined> {
  const file = path.join(repo, NAME);
  // A pipe would be waited for, for ever.
  const there = await stat(file).catch(() => undefined);
  if (there && !there.isFile()) {
    const is = there.isDirectory() ? 'is a folder' : 'is not a regular file';
    throw new BatonError('CONFIG_INVALID', `${file} ${is}`, { file });
  }
  const bytes = await readFile(file).catch((failure: NodeJS.ErrnoException) => {
    if (failure.code === 'ENOENT' || failure.code === 'ENOTDIR') return undefined;
    throw new BatonError('CONFIG_INVALID', `${file} cannot be read (${failure.code})`, { file });
  });
  if (!bytes) return undefined;
  const settings = parseFile(project, file, bytes);
  const hash = createHash('sha256').update(bytes).digest('hex');
  const trusted = (await readTrusted(home))[file] === hash;
  return { file, hash, trusted, settings };
}

export async function trustProject(home: string, { file, hash }: Project): Promise<void> {
  await ensureHome(home);
  const list = trustFile(home);
  await withLock(`${list}.lock`, async () => {
    const after = { ...(await readTrusted(home)), [file]: hash };
    await writeAtomically(list, `${JSON.stringify(after, null, 2)}\n`, { mode: 0o600 });
  });
}

async function readTrusted(home: string): Promise<Trusted> {
  try {
    const value: unknown = JSON.parse(await readFile(trustFile(home), 'utf8'));
    return value && typeof value === 'object' ? (value as Trusted) : {};
  } catch {
    return {}; // without the list, or with a damaged one, nothing is trusted
  }
}

function trustFile(home: string): string {
  return path.join(home, 'trust.json');
}

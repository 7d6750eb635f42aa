import { readFile, realpath } from 'node:fs/promises';
import path from 'node:path';
import { config } from '../contracts/baton/config.js';
import type { ConfigFile } from '../contracts/generated/types/config.js';
import { parseContract } from '../contracts/shared/contract.js';
import { BatonError } from '../contracts/shared/errors.js';
import { parseFile } from '../contracts/shared/parse-file.js';
import { writeAtomically } from '../system/atomic-write.js';
import { withLock } from '../system/file-lock.js';
import { ensureHome } from './home.js';

export type LogLevel = NonNullable<NonNullable<ConfigFile['server']>['log_level']>;

export function configFile(home: string): string {
  return path.join(home, 'config.json');
}

/** A home without the file has no settings yet. A damaged file is refused, never guessed at. */
export async function readConfig(home: string): Promise<ConfigFile> {
  const file = configFile(home);
  let bytes: Uint8Array;
  try {
    bytes = await readFile(file);
  } catch (failure) {
    const { code } = failure as NodeJS.ErrnoException;
    if (code === 'ENOENT') return {};
    if (code === 'ENOTDIR') throw new BatonError('HOME_UNUSABLE', `${home} is not a folder`, { home });
    throw new BatonError('CONFIG_INVALID', `${file} cannot be read (${code})`, { file });
  }
  return parseFile(config, file, bytes);
}

/** Reads, changes and writes under a lock, so that two changes at once are both kept. */
export async function changeConfig(home: string, change: (before: ConfigFile) => object): Promise<ConfigFile> {
  await ensureHome(home);
  const file = configFile(home);
  try {
    return await withLock(`${file}.lock`, async () => {
      const after = parseContract(config, change(await readConfig(home)));
      // People keep settings under version control and link them here: write what the link leads to.
      const target = await realpath(file).catch(() => file);
      await writeAtomically(target, `${JSON.stringify(after, null, 2)}\n`, { mode: 0o600 });
      return after;
    });
  } catch (failure) {
    if (failure instanceof BatonError) throw failure;
    const { code } = failure as NodeJS.ErrnoException;
    throw new BatonError('FILE_UNWRITABLE', `${file} cannot be written (${code})`, { file });
  }
}

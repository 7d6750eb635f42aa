import { chmod, cp, mkdir, readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { BatonError } from '../../contracts/shared/errors.js';
import { type HomeCommand, inHome } from '../opened-home.js';
import { printable, printableJson } from '../printable.js';

/** What lies beside the store. The token is not among it: a restored home makes its own. */
const BESIDE = ['blobs', 'archive', 'keys', 'config.json', 'prices.json', 'trust.json'];
const TRIES = 3;

/** The store first: whatever it names lies beside it by then, and nothing of that is ever changed. */
export const runStoreBackup: HomeCommand = ({ positionals: [to = ''], values }, io, open) =>
  inHome(open, async (home) => {
    if (!home.stored)
      throw new BatonError('HOME_UNUSABLE', `${home.folder} has nothing to back up`, { home: home.folder });
    const folder = path.resolve(io.cwd, to);
    await mkdir(folder, { mode: 0o700 }).catch((failure: NodeJS.ErrnoException) => {
      if (failure.code === 'EEXIST')
        throw new BatonError('FILE_EXISTS', `${folder} is there already`, { file: folder });
      throw new BatonError('FILE_UNWRITABLE', `${folder} cannot be made (${failure.code})`, { file: folder });
    });
    await home.copyStore(path.join(folder, 'baton.db'));
    await chmod(path.join(folder, 'baton.db'), 0o600);
    const jobs = await readdir(path.join(home.folder, 'jobs')).catch(() => []);
    for (const name of [...BESIDE, ...jobs.map((job) => path.join('jobs', job))]) {
      await copy(path.join(home.folder, name), path.join(folder, name));
    }
    if (values.json) io.out(`${printableJson({ folder, position: await home.store.position() })}\n`);
    else
      io.err(`Everything is in ${printable(folder)}. To use it: BATON_HOME=${printable(folder)} baton audit verify\n`);
    return 0;
  });

const AS_IT_IS = { recursive: true, verbatimSymlinks: true, preserveTimestamps: true };

/** A job that is at work makes and removes files all the time, so what went away is looked for again. */
async function copy(from: string, to: string): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await cp(from, to, AS_IT_IS);
    } catch (failure) {
      if ((failure as NodeJS.ErrnoException).code !== 'ENOENT' || !(await isThere(from)))
        return throwUnlessMissing(failure);
      if (tries >= TRIES) throw failure;
    }
  }
}

async function isThere(file: string): Promise<boolean> {
  return stat(file).then(
    () => true,
    () => false,
  );
}

function throwUnlessMissing(failure: unknown): void {
  if ((failure as NodeJS.ErrnoException).code !== 'ENOENT') throw failure;
}

import {
  accessSync,
  chmodSync,
  constants,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  realpathSync,
  rmSync,
  statSync,
} from 'node:fs';
import path from 'node:path';
import { BatonError } from '../../contracts/shared/errors.js';
import { networkFileSystemOf } from './network-file-system.js';

const OTHERS = 0o077;
/** A database is made under a name like this and linked to its own when it is complete. */
const UNFINISHED = /^baton\.db\.[0-9a-f-]+\.new$/;

/** Makes the folder when it is absent, and answers with its real path. Refuses what cannot be kept safe and private. */
export function prepareHome(wanted: string): string {
  const home = makeFolder(wanted);
  const network = networkFileSystemOf(home);
  if (network) throw new BatonError('STORE_NETWORK', `${home} is on a network file system (${network})`, { home });
  makePrivate(home, home, 0o700);
  requireWritable(home, home);
  mkdirSync(path.join(home, 'workers'), { recursive: true, mode: 0o700 });
  return home;
}

/** The database file as it must be: a file of its own with one name, for its owner alone. */
export function checkDatabaseFile(home: string, file: string): void {
  const found = lstatSync(file);
  if (!found.isFile()) {
    throw new BatonError('STORE_SHARED', `${file} is a link or no file: the store would lie in two places`, {
      home,
      file,
    });
  }
  if (found.nlink > 1) finishLink(home, file, found.ino);
  if (lstatSync(file).nlink > 1) {
    throw new BatonError('STORE_SHARED', `${file} has a second name (hard link)`, { home, file });
  }
  if (found.size === 0) {
    throw new BatonError('STORE_DAMAGED', `${file} is empty`, { home, file, offset: 0 });
  }
  makePrivate(home, file, 0o600);
  requireWritable(home, file);
}

/** Gives a complete database its name; false when another process was first. */
export function nameDatabase(made: string, file: string): boolean {
  try {
    linkSync(made, file);
    return true;
  } catch (failure) {
    if ((failure as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw failure;
  } finally {
    rmSync(made, { force: true });
  }
}

/** Who linked the database was killed, or is just about to remove the first name. */
function finishLink(home: string, file: string, inode: number): void {
  for (const name of readdirSync(home).filter((each) => UNFINISHED.test(each))) {
    const unfinished = path.join(home, name);
    if (unfinished !== file && existsSync(unfinished) && statSync(unfinished).ino === inode) {
      rmSync(unfinished, { force: true });
    }
  }
}

function makeFolder(wanted: string): string {
  try {
    mkdirSync(wanted, { recursive: true, mode: 0o700 });
    const home = realpathSync(wanted);
    if (statSync(home).isDirectory()) return home;
  } catch (failure) {
    const { code } = failure as NodeJS.ErrnoException;
    // On a read-only file system Node answers ENOENT when it makes folders.
    if (code === 'EACCES' || code === 'EROFS' || code === 'EPERM' || code === 'ENOENT') {
      throw new BatonError('STORE_READONLY', `${wanted} cannot be made (${code})`, { home: wanted });
    }
    if (code !== 'EEXIST' && code !== 'ENOTDIR') throw failure;
  }
  throw new BatonError('HOME_UNUSABLE', `${wanted} is not a folder`, { home: wanted });
}

/** Asked before SQLite is: it would quietly open for reading only. */
function requireWritable(home: string, file: string): void {
  try {
    accessSync(file, constants.R_OK | constants.W_OK);
  } catch (failure) {
    const { code } = failure as NodeJS.ErrnoException;
    throw new BatonError('STORE_READONLY', `${file} cannot be written (${code})`, { home, file });
  }
}

function makePrivate(home: string, file: string, mode: number): void {
  const { uid, mode: found } = statSync(file);
  const me = process.getuid?.();
  if (me !== undefined && uid !== me) {
    throw new BatonError('STORE_PERMISSIONS', `${file} belongs to user ${uid}, not ${me}`, { home, file });
  }
  if (me === undefined || (found & OTHERS) === 0) return;
  try {
    chmodSync(file, mode);
  } catch (failure) {
    throw new BatonError('STORE_PERMISSIONS', `${file} is open to others: ${(failure as Error).message}`, {
      home,
      file,
    });
  }
  if ((statSync(file).mode & OTHERS) !== 0) {
    throw new BatonError('STORE_PERMISSIONS', `${file} stays open to others on this file system`, { home, file });
  }
}

import {
  closeSync,
  constants,
  existsSync,
  fstatSync,
  fsyncSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs';
import path from 'node:path';
import { BRIDGE_BYTES_MAX, BRIDGE_FILES, REJECTED_FILE, RESPONSE_FILE } from '../contracts/bridge/bridge-file-names.js';
import { BatonError, type ErrorCode } from '../contracts/shared/errors.js';

/** The files of one bridge. The path is absolute: the program may change its working directory. */
export class BridgeFolder {
  readonly dir: string;

  constructor(dir: string) {
    this.dir = path.resolve(dir);
  }

  file(name: string): string {
    return path.join(this.dir, name);
  }

  /** null when it is not there. Anything but a file is refused, also what would make the reader wait. */
  read(name: string): Buffer | null {
    return this.attempt('INPUT_UNREADABLE', name, 'be read', () => {
      const handle = openIfThere(this.file(name));
      if (handle === null) return null;
      try {
        const stat = fstatSync(handle);
        if (!stat.isFile()) throw new Error('it is not a file');
        if (stat.size > BRIDGE_BYTES_MAX) throw new Error(`it has ${stat.size} bytes, more than ${BRIDGE_BYTES_MAX}`);
        return readFileSync(handle);
      } finally {
        closeSync(handle);
      }
    });
  }

  /** Readers see the old file or the whole new one, and it stays after a power cut. */
  replace(name: string, content: object): void {
    this.attempt('FILE_UNWRITABLE', name, 'be written', () => {
      const temporary = temporaryOf(this.file(name));
      rmSync(temporary, { force: true });
      writeWhole(temporary, `${JSON.stringify(content, null, 2)}\n`);
      renameSync(temporary, this.file(name));
      syncFolder(this.dir);
    });
  }

  /** Says whether it was there. */
  remove(name: string): boolean {
    return this.attempt('FILE_UNWRITABLE', name, 'be removed', () => {
      rmSync(temporaryOf(this.file(name)), { force: true });
      return unlessMissing(() => rmSync(this.file(name)));
    });
  }

  /** Out of the way, but kept for people. Says whether there was one. */
  rejectResponse(): boolean {
    return this.attempt('FILE_UNWRITABLE', REJECTED_FILE, 'be written', () => {
      if (!existsSync(this.file(RESPONSE_FILE))) return false;
      rmSync(this.file(REJECTED_FILE), { force: true, recursive: true });
      return unlessMissing(() => renameSync(this.file(RESPONSE_FILE), this.file(REJECTED_FILE)));
    });
  }

  /** All three files, in the order that leaves a resumable rest wherever it is cut off. */
  clear(removed: (name: string) => void): void {
    for (const name of BRIDGE_FILES) if (this.remove(name)) removed(name);
  }

  private attempt<T>(code: ErrorCode, name: string, what: string, act: () => T): T {
    try {
      return act();
    } catch (failure) {
      const file = this.file(name);
      throw new BatonError(code, `${file} cannot ${what}: ${(failure as Error).message}`, { file });
    }
  }
}

/** Always the same name, so what a killed program left is replaced or removed by the next. */
function temporaryOf(file: string): string {
  return `${file}.tmp`;
}

function openIfThere(file: string): number | null {
  try {
    return openSync(file, constants.O_RDONLY | constants.O_NONBLOCK);
  } catch (failure) {
    if (isMissing(failure)) return null;
    throw failure;
  }
}

function writeWhole(file: string, text: string): void {
  const handle = openSync(file, 'wx', 0o600);
  try {
    const bytes = Buffer.from(text);
    for (let written = 0; written < bytes.length; ) written += writeSync(handle, bytes, written);
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}

function syncFolder(folder: string): void {
  const handle = openSync(folder, 'r');
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}

function unlessMissing(act: () => void): boolean {
  try {
    act();
    return true;
  } catch (failure) {
    if (isMissing(failure)) return false;
    throw failure;
  }
}

function isMissing(failure: unknown): boolean {
  return (failure as NodeJS.ErrnoException).code === 'ENOENT';
}

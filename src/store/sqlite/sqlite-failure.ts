import { BatonError, type ErrorCode } from '../../contracts/shared/errors.js';

/** Primary result codes of SQLite, as in its documentation. */
const BUSY = 5;
const LOCKED = 6;
const READONLY = 8;
const IOERR = 10;
const CORRUPT = 11;
const FULL = 13;
const CANTOPEN = 14;
const TOOBIG = 18;
const CONSTRAINT = 19;
const MISMATCH = 20;
const NOTADB = 26;
/** The index of the WAL could not grow: the disk is full, and nothing was written. */
const IOERR_SHMSIZE = IOERR | (19 << 8);

const CODES: Readonly<Record<number, { code: ErrorCode; says: string }>> = {
  [BUSY]: { code: 'STORE_BUSY', says: 'is locked by another process' },
  [LOCKED]: { code: 'STORE_BUSY', says: 'is locked' },
  [READONLY]: { code: 'STORE_READONLY', says: 'cannot be written' },
  [CANTOPEN]: { code: 'STORE_READONLY', says: 'cannot be opened for writing' },
  [IOERR]: { code: 'STORE_FAILED', says: 'failed to read or write the disk' },
  [CORRUPT]: { code: 'STORE_DAMAGED', says: 'is damaged' },
  [NOTADB]: { code: 'STORE_DAMAGED', says: 'is not a database' },
  [FULL]: { code: 'STORE_FULL', says: 'has no space left' },
};

const ERRNO: Readonly<Record<string, ErrorCode>> = {
  ENOSPC: 'STORE_FULL',
  EDQUOT: 'STORE_FULL',
  EIO: 'STORE_FAILED',
  EROFS: 'STORE_READONLY',
  EACCES: 'STORE_READONLY',
  EPERM: 'STORE_READONLY',
};

export function isBusy(failure: unknown): boolean {
  return primaryCode(failure) === BUSY;
}

export function isDamage(failure: unknown): boolean {
  const code = primaryCode(failure);
  return code === CORRUPT || code === NOTADB;
}

/** The fault lies in what was to be written, not in the store: others of the same transaction are not touched. */
export function isOwnFault(failure: unknown): boolean {
  const code = primaryCode(failure);
  return code === undefined ? storeCode(failure) === undefined : [TOOBIG, CONSTRAINT, MISMATCH].includes(code);
}

/** What failed was the disk: bytes may be lost behind our back, so this store must not be used again. */
export function isFatal(failure: unknown): boolean {
  return failure instanceof BatonError && failure.code === 'STORE_FAILED';
}

/** Every failure of SQLite or of a file in the home, as an error with a code. What is no such failure stays as it is. */
export function storeError(failure: unknown, home: string): Error {
  if (failure instanceof BatonError) return failure;
  const reason = failure instanceof Error ? failure.message : String(failure);
  const known = CODES[storePrimary(failure)];
  if (known) return new BatonError(known.code, `the store ${known.says} (${reason})`, { home });
  const code = storeCode(failure);
  if (code) return new BatonError(code, `the store cannot use its folder (${reason})`, { home });
  return failure instanceof Error ? failure : new Error(reason);
}

function storePrimary(failure: unknown): number {
  return extendedCode(failure) === IOERR_SHMSIZE ? FULL : (primaryCode(failure) ?? 0);
}

function storeCode(failure: unknown): ErrorCode | undefined {
  const { code } = (failure ?? {}) as NodeJS.ErrnoException;
  return typeof code === 'string' ? ERRNO[code] : undefined;
}

function primaryCode(failure: unknown): number | undefined {
  const code = extendedCode(failure);
  return code === undefined ? undefined : code & 0xff;
}

function extendedCode(failure: unknown): number | undefined {
  const { errcode } = (failure ?? {}) as { errcode?: unknown };
  return typeof errcode === 'number' ? errcode : undefined;
}

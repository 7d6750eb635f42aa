import { open, readFile, rm, stat } from 'node:fs/promises';
import os from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { BatonError } from '../contracts/shared/errors.js';

/**
 * One holder at a time, between processes. A lock file and not re-read-compare, because between the comparison and the
 * rename another process can always slip in.
 *
 * L1 Only its owner removes a live lock; a dead owner's lock is removed only by who holds the breaker file.
 * L2 A lock of another machine is never broken: its process cannot be seen from here.
 */
export async function withLock<T>(lock: string, work: () => Promise<T>, waitMsMax = WAIT_MS_MAX): Promise<T> {
  const deadlineMs = Date.now() + waitMsMax;
  while (!(await take(lock))) {
    if (await isAbandoned(lock)) await breakLock(lock);
    else if (Date.now() > deadlineMs) {
      throw new BatonError('CONFIG_LOCKED', `another baton holds ${lock}`, { lock });
    } else await sleep(RETRY_MS + Math.random() * RETRY_MS);
  }
  try {
    return await work();
  } finally {
    await rm(lock, { force: true });
  }
}

const WAIT_MS_MAX = 5_000;
const RETRY_MS = 10;
/** An owner writes its name at once; a lock that stays empty lost its owner in between. */
const NAMELESS_MS_MAX = 2_000;

async function take(lock: string): Promise<boolean> {
  try {
    const handle = await open(lock, 'wx', 0o600);
    try {
      await handle.appendFile(`${process.pid} ${os.hostname()}`);
    } finally {
      await handle.close();
    }
    return true;
  } catch (failure) {
    if ((failure as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw failure;
  }
}

async function isAbandoned(lock: string): Promise<boolean> {
  try {
    const [, pid, host] = /^(\d+) (.+)$/.exec(await readFile(lock, 'utf8')) ?? [];
    if (!pid) return Date.now() - (await stat(lock)).mtimeMs > NAMELESS_MS_MAX;
    return host === os.hostname() && !isAlive(Number(pid));
  } catch (failure) {
    if ((failure as NodeJS.ErrnoException).code === 'ENOENT') return false; // released: take it in the next round
    throw failure;
  }
}

async function breakLock(lock: string): Promise<void> {
  const breaker = `${lock}.break`;
  if (!(await take(breaker))) {
    if ((await ageMs(breaker)) > WAIT_MS_MAX) {
      throw new BatonError('CONFIG_LOCKED', `${lock} was left behind, and so was ${breaker}`, { lock: breaker });
    }
    return sleep(RETRY_MS);
  }
  try {
    // Asked again under the breaker: meanwhile another process may have broken the lock and taken it.
    if (await isAbandoned(lock)) await rm(lock, { force: true });
  } finally {
    await rm(breaker, { force: true });
  }
}

async function ageMs(file: string): Promise<number> {
  return Date.now() - ((await stat(file).catch(() => undefined))?.mtimeMs ?? Date.now());
}

/** A process of another user answers EPERM: it lives. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (failure) {
    return (failure as NodeJS.ErrnoException).code === 'EPERM';
  }
}

import { readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';

/** Byte of the index of the WAL that is locked while somebody writes, as SQLite documents it. */
const WRITE_LOCK_BYTE = '120';

export const MOMENTS = ['starting', 'in a commit', 'inside a handoff', 'waiting for an answer', 'between'] as const;
export type Moment = (typeof MOMENTS)[number];

/** What a process is doing just now, seen from outside: in the kernel's lists of locks and of processes. */
export function underWay(pid: number, home: string): Moment {
  if (holdsWriteLock(pid, home)) return 'in a commit';
  return hasChildren(pid) ? 'inside a handoff' : 'between';
}

export function holdsWriteLock(pid: number, home: string): boolean {
  const inode = statSync(path.join(home, 'baton.db-shm'), { throwIfNoEntry: false })?.ino;
  if (inode === undefined) return false;
  // 1: POSIX  ADVISORY  WRITE 4711 00:2a:815 120 120
  return readFileSync('/proc/locks', 'latin1')
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .some(
      ([, , , kind, holder, file, from]) =>
        kind === 'WRITE' && holder === String(pid) && file?.endsWith(`:${inode}`) && from === WRITE_LOCK_BYTE,
    );
}

/** A thread inside a system call goes on to its end, and may take a lock there, before it stops. */
export function isStopped(pid: number): boolean {
  return readdirSync(`/proc/${pid}/task`).every((thread) => statOf(`${pid}/task/${thread}`)?.[0] === 'T');
}

function hasChildren(pid: number): boolean {
  return readdirSync('/proc').some((name) => /^\d+$/.test(name) && statOf(name)?.[1] === String(pid));
}

/** The fields behind the name, which may hold anything. */
function statOf(process: string): string[] | undefined {
  try {
    const stat = readFileSync(`/proc/${process}/stat`, 'latin1');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  } catch {
    return undefined; // gone meanwhile
  }
}

import { readdirSync, readFileSync, readlinkSync, statSync } from 'node:fs';
import path from 'node:path';
import { readNotes } from './worker-note.js';

/** `state` is the kernel's letter: R running, S sleeping, D waiting for the disk, T stopped. */
export type Holder = { pid: number; state: string; command: string; worker?: string; holds_write_lock: boolean };

/** SQLite's write lock in WAL mode is this byte of the -shm file. */
const WRITE_LOCK_BYTE = 120;
const PROCESSES_MAX = 10_000;

/** Who has the store open, the holder of the write lock first. As far as Linux tells; elsewhere the workers' own notes. */
export function findHolders(home: string): Holder[] {
  const notes = readNotes(path.join(home, 'workers'));
  const database = path.join(home, 'baton.db');
  const writers = writeLockPids(`${database}-shm`);
  const pids = new Set([...writers, ...pidsWithOpen(database)]);
  if (pids.size === 0) for (const note of notes) pids.add(note.pid);
  pids.delete(process.pid);
  return [...pids].map((pid) => describe(pid, writers, notes)).sort((one, other) => rank(one) - rank(other));
}

export function describeHolders(holders: readonly Holder[]): string {
  if (holders.length === 0) return 'a process that cannot be seen from here';
  return holders
    .map(({ pid, state, command, holds_write_lock }) => {
      const what = state === 'T' ? 'stopped' : `state ${state}`;
      return `process ${pid} (${command}, ${what}${holds_write_lock ? ', holds the write lock' : ''})`;
    })
    .join(', ');
}

function rank({ holds_write_lock }: Holder): number {
  return holds_write_lock ? 0 : 1;
}

function describe(pid: number, writers: ReadonlySet<number>, notes: ReturnType<typeof readNotes>): Holder {
  const worker = notes.find((note) => note.pid === pid)?.worker;
  // pid (command) state …; the command may contain spaces and parentheses
  const [, command = '?', state = '?'] = /^\d+ \((.*)\) (\S)/s.exec(readProc(`${pid}/stat`)) ?? [];
  return { pid, state, command, holds_write_lock: writers.has(pid), ...(worker !== undefined && { worker }) };
}

/** `1: POSIX  ADVISORY  WRITE 1234 fe:00:5678 120 120` */
function writeLockPids(shm: string): Set<number> {
  const inode = inodeOf(shm);
  const pids = new Set<number>();
  for (const line of readProc('locks').split('\n')) {
    const [, , , mode, pid, file, first, last] = line.split(/\s+/);
    const covers = Number(first) <= WRITE_LOCK_BYTE && (last === 'EOF' || Number(last) >= WRITE_LOCK_BYTE);
    if (mode === 'WRITE' && covers && file?.split(':')[2] === inode && Number(pid) > 0) pids.add(Number(pid));
  }
  return pids;
}

function pidsWithOpen(file: string): number[] {
  return list('/proc')
    .filter((name) => /^\d+$/.test(name))
    .slice(0, PROCESSES_MAX)
    .filter((pid) => list(`/proc/${pid}/fd`).some((descriptor) => pointsTo(`/proc/${pid}/fd/${descriptor}`, file)))
    .map(Number);
}

function pointsTo(link: string, file: string): boolean {
  try {
    return readlinkSync(link) === file;
  } catch {
    return false; // closed in between
  }
}

function list(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return []; // ended in between, another user's, or no Linux
  }
}

function readProc(name: string): string {
  try {
    return readFileSync(`/proc/${name}`, 'utf8');
  } catch {
    return ''; // ended in between, or no Linux
  }
}

function inodeOf(file: string): string {
  try {
    return String(statSync(file, { bigint: true }).ino);
  } catch {
    return '';
  }
}

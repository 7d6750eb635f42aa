import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/** For people who ask which process a worker is. Nothing is decided by it. */
export type WorkerNote = { worker: string; pid: number; host: string; started: string };

const NOTES_MAX = 1_000;

export function writeNote(folder: string, worker: string, host: string): void {
  const note: WorkerNote = { worker, pid: process.pid, host, started: new Date().toISOString() };
  writeFileSync(path.join(folder, `${worker}.json`), `${JSON.stringify(note)}\n`, { mode: 0o600 });
}

export function readNotes(folder: string): WorkerNote[] {
  return listNotes(folder).flatMap((file) => {
    try {
      return [JSON.parse(readFileSync(path.join(folder, file), 'utf8')) as WorkerNote];
    } catch {
      return []; // being written or removed just now
    }
  });
}

function listNotes(folder: string): string[] {
  try {
    return readdirSync(folder)
      .filter((file) => file.endsWith('.json'))
      .slice(0, NOTES_MAX);
  } catch {
    return []; // no worker was ever enlisted
  }
}

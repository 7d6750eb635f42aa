import { closeSync, fsyncSync, mkdirSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs';
import path from 'node:path';
import type { JobFolder } from './job-folder.js';
import type { UserRepository } from './user-repository.js';

/** What Baton remembers of a workspace, outside of it. */
export type WorkspaceRecord = {
  repository: (Pick<UserRepository, 'commonDir' | 'format'> & { sparse: boolean }) | null;
  /** Once it is there whole. */
  prepared: object | null;
  /** Of an attempt at a task. */
  task?: TaskRecord;
};

/** What an agent may write to in the workspace of a task. Paths are those on the disk, relative to the workspace. */
export type TaskRecord = {
  /** `''` is the workspace itself. */
  writable: readonly string[];
  /** Inside of what is writable, and yet as it is. */
  kept: readonly string[];
  forbidden: readonly string[];
  /** Empty files that stand where the scope names what is not there yet. */
  made: readonly MadeFile[];
  worklog: WorklogCopy;
  /** The user's files. */
  top: string | null;
};

/** `stamp` tells whether anybody has touched it since. */
export type MadeFile = { path: string; stamp: string };

/** What the copy of the worklog begins with. */
export type WorklogCopy = { path: string; bytes: number; sha256: string };

export function readRecord({ record }: JobFolder): WorkspaceRecord | null {
  try {
    return JSON.parse(readFileSync(record, 'utf8')) as WorkspaceRecord;
  } catch (failure) {
    if ((failure as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw failure;
  }
}

/** The agent's copy of the worklog, where it has one. */
export function worklogOf(folder: JobFolder): string | undefined {
  const copy = readRecord(folder)?.task?.worklog;
  return copy && path.join(folder.workspace, copy.path);
}

/** Old or new, never half. */
export function writeRecord({ root, record }: JobFolder, content: WorkspaceRecord): void {
  mkdirSync(root, { recursive: true, mode: 0o700 });
  const temporary = path.join(root, '.workspace.json.tmp');
  const file = openSync(temporary, 'w', 0o600);
  try {
    writeSync(file, JSON.stringify(content));
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  renameSync(temporary, record);
}

import { closeSync, fsyncSync, mkdirSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs';
import path from 'node:path';
import type { JobFolder } from './job-folder.js';
import type { UserRepository } from './user-repository.js';

/** What Baton remembers of a workspace, outside of it. */
export type WorkspaceRecord = {
  repository: (Pick<UserRepository, 'commonDir' | 'format'> & { sparse: boolean }) | null;
  /** Once it is there whole. */
  prepared: object | null;
};

export function readRecord({ record }: JobFolder): WorkspaceRecord | null {
  try {
    return JSON.parse(readFileSync(record, 'utf8')) as WorkspaceRecord;
  } catch (failure) {
    if ((failure as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw failure;
  }
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

import { lstatSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { WorkspaceOptions } from './deed.js';
import type { JobFolder } from './job-folder.js';

const FILE_BYTES_MAX = 1024 * 1024;
type Scrubbing = Pick<WorkspaceOptions, 'scrub' | 'secretsIn'>;
type Included = { top: string; files: readonly string[] };

/** What was copied into a workspace is mostly there because it is secret: from now on nothing of it is stored. */
export function keepIncluded(folder: JobFolder, scrubbing: Scrubbing, included: Included): void {
  if (included.files.length === 0) return;
  mkdirSync(folder.root, { recursive: true, mode: 0o700 });
  writeFileSync(listOf(folder), JSON.stringify(included), { mode: 0o600 });
  learnIncluded(folder, scrubbing);
}

/** Files in the workspace that are copies of the user's. */
export function includedFiles(folder: JobFolder): readonly string[] {
  const list = textOf(listOf(folder));
  return list === '' ? [] : (JSON.parse(list) as Included).files;
}

/** Of the user's files as they are now, and of the copies, which the user may have replaced since. */
export function learnIncluded(folder: JobFolder, { scrub, secretsIn }: Scrubbing): void {
  const list = textOf(listOf(folder));
  if (list === '') return;
  const { top, files } = JSON.parse(list) as Included;
  const places = files.flatMap((file) => [path.join(top, file), path.join(folder.workspace, file)]);
  for (const file of places) scrub.learn(secretsIn(textOf(file)));
}

function listOf({ root }: JobFolder): string {
  return path.join(root, 'included.json');
}

function textOf(file: string): string {
  try {
    // An agent may have put a pipe there, which nobody ever writes to.
    if (!lstatSync(file).isFile()) return '';
    return readFileSync(file, 'utf8').slice(0, FILE_BYTES_MAX);
  } catch {
    return ''; // not there any more, or never
  }
}

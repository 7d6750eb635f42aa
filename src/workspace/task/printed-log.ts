import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { JobFolder } from '../job-folder.js';

/** What the agent of the last try has printed while it worked; nothing when it was silent. What is kept is bounded. */
export function printedLog({ root }: JobFolder): string {
  const folder = path.join(root, 'log');
  if (!existsSync(folder)) return '';
  const tries = readdirSync(folder).flatMap((file) => {
    const [, attempt] = /^h\d+\.(\d+)\.txt$/.exec(file) ?? [];
    return attempt === undefined ? [] : [{ file, attempt: Number(attempt) }];
  });
  const last = tries.reduce((best, one) => (one.attempt > best.attempt ? one : best), { file: '', attempt: 0 });
  return last.file === '' ? '' : readFileSync(path.join(folder, last.file), 'utf8');
}

import type { Desk } from '../../engine/desk.js';
import type { JobOptions } from '../../engine/job/job-options.js';
import { findRun } from '../find-run.js';
import type { Io } from '../io.js';
import { mark } from '../mark.js';
import { printable } from '../printable.js';

/** A job as it will be made; a file that nobody agreed to is not used, and that is said. */
export async function toldDefaults(desk: Desk, said: JobOptions, io: Io): Promise<JobOptions> {
  const { options, untrusted } = await desk.withDefaults(await withWaitedFor(desk, said, io.cwd), io.cwd);
  if (untrusted !== null) {
    const file = printable(untrusted);
    io.err(`${mark(io, 'note')} ${file} is not used: nobody agreed to it yet. Look at it, then: baton trust\n`);
  }
  return options;
}

/** A beginning of an id, and LAST, mean a run here as everywhere. */
async function withWaitedFor({ store }: Desk, said: JobOptions, cwd: string): Promise<JobOptions> {
  if (!said.after) return said;
  const after: string[] = [];
  for (const id of said.after) after.push((await findRun(store, id, cwd)).run);
  return { ...said, after };
}

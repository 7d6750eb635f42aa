import type { JobOrder, Repository } from '../core/job/job-order.js';
import type { Deed } from './deed.js';
import { findBase, type Problem, type UserRepository } from './user-repository.js';

/** The commit a workspace starts from: of a recovery point, of a name, or of HEAD. */
export async function findStart(
  deed: Deed,
  found: UserRepository,
  { base, dirty, folder }: Repository,
  forkedFrom: JobOrder['forkedFrom'],
): Promise<{ commit: string } | Problem> {
  const { git, options } = deed;
  if (forkedFrom) {
    const { job, point } = forkedFrom;
    const commit = await options.commitOf?.(job, point);
    if (!commit) return { problem: `${job} has no commit at its point ${point}, so there are no files to start from.` };
    const there = await findBase(git, found, commit);
    if (typeof there === 'string') return { commit: there };
    return { problem: `The commit of ${job} at ${point} is not in ${folder}. Fork it in the repository of that job.` };
  }
  const start = await findBase(git, found, base);
  if (typeof start !== 'string') return start;
  if (dirty && base !== null && start !== (await findBase(git, found, null))) {
    return { problem: `Uncommitted files belong to HEAD and cannot be brought to ${base}. Leave out one of the two.` };
  }
  return { commit: start };
}

import type { Held } from '../engine/ports.js';
import { type Change, changesBetween } from './commit-work.js';
import { Deed, type WorkspaceOptions } from './deed.js';
import { readRefs } from './publish.js';
import { findRepository, inRepository, type Problem } from './user-repository.js';

const PATCH_BYTES_MAX = 2 * 1024 * 1024;

export type DiffRequest = WorkspaceOptions & {
  repo: string;
  held: Held;
  /** Commits; by default the whole work of the job. */
  from?: string;
  to?: string;
  signal: AbortSignal;
};

export type JobDiff = {
  from: string;
  to: string;
  files: Change[];
  patch: string /** Whether the patch was too long. */;
  cut: boolean;
};

/** What a job changed, from the user's repository alone, so that it is there when the workspace is not any more. */
export async function diffJob(request: DiffRequest): Promise<JobDiff | Problem> {
  const { held, repo, signal } = request;
  const deed = new Deed(request, { held, key: 'diff', signal });
  const { git, refs } = deed;
  const found = await findRepository(git, repo);
  if ('problem' in found) return found;
  const { commonDir } = found;
  const known = await readRefs(git, commonDir, [refs.base, refs.pin]);
  const [from, to] = [request.from ?? known.get(refs.base), request.to ?? known.get(refs.pin)];
  if (from === undefined || to === undefined) return { problem: `${repo} has no work of ${deed.run}.` };
  const args = [
    'diff-tree',
    '-r',
    '-p',
    '-M',
    '--full-index',
    '--no-ext-diff',
    '--no-textconv',
    '--no-color',
    from,
    to,
  ];
  const files = await changesBetween(deed, from, to, commonDir);
  const patch = await git.out(inRepository(commonDir, args));
  const cut = patch.length > PATCH_BYTES_MAX;
  return { from, to, files, patch: patch.subarray(0, PATCH_BYTES_MAX).toString('utf8'), cut };
}

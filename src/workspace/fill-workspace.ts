import type { Repository } from '../core/job/job-order.js';
import { makeAgentRepository } from './agent-repository.js';
import { UserFiles } from './bring-along.js';
import type { Deed } from './deed.js';
import { findIncluded, hasIncludeList } from './included-files.js';
import { bringIncluded, checkOutWork, isSparse } from './job-git.js';
import type { Problem, UserRepository } from './user-repository.js';

/** An empty workspace becomes that of a commit, with what `.worktreeinclude` names and a repository for the agent. */
export async function fillWorkspace(
  deed: Deed,
  found: UserRepository,
  repository: Repository,
  commit: string,
): Promise<Problem | null> {
  const { git, folder } = deed;
  await checkOutWork(deed, repository, commit);
  const { top } = found;
  const files = top !== null && hasIncludeList(top) ? await UserFiles.open(git, found, folder.git) : null;
  const included = files && top !== null ? await findIncluded(files, top) : [];
  files?.close();
  if ('problem' in included) return included;
  bringIncluded(deed, top, included);
  makeAgentRepository(deed, found, commit, isSparse(repository));
  return null;
}

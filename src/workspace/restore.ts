import { existsSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import { pathProblem } from '../contracts/shared/relative-path.js';
import type { JobDeeds } from '../core/job/job-deeds.js';
import { makeAgentRepository } from './agent-repository.js';
import { commitFor, dropWorkspaceLocks, readHead, workspacePlace, writeTree } from './commit-work.js';
import type { Deed } from './deed.js';
import { at } from './index-entries.js';
import { differing, treeWith } from './protected-files.js';
import { publish } from './publish.js';
import { stageAll } from './stage-all.js';
import { workspaceProblem } from './workspace-problem.js';
import { readRecord, type WorkspaceRecord } from './workspace-record.js';

type Result = JobDeeds['restore']['result'];

/**
 * Brings files back to how a commit has them. What is there is committed first, then the restored state, then the
 * folder is made to match it: a crash in between is seen by the commit's trailer, and only the last step is owed.
 */
export async function restore(deed: Deed, { commit, files }: JobDeeds['restore']['input']): Promise<Result> {
  const { git, folder, refs } = deed;
  const repository = readRecord(folder)?.repository;
  if (!repository) return no('The job has no repository, so there is nothing to go back to.');
  const names = files.map((file) => file.replace(/\/+$/, ''));
  const odd = files.find((file, index) => pathProblem(file) ?? pathProblem(names[index] ?? ''));
  if (odd !== undefined) return no(`${JSON.stringify(odd.slice(0, 200))} ${pathProblem(odd) ?? 'is not a path'}.`);
  const known = await git.run({ args: ['cat-file', '-e', `${commit}^{commit}`], cwd: folder.git, dir: folder.git });
  if (known.code !== 0) return no(`The commit ${commit.slice(0, 64)} of that point is gone from the repository.`);

  dropWorkspaceLocks(deed);
  const away = workspaceProblem(folder.workspace);
  if (away?.includes('replaced'))
    return no(`${away[0]?.toUpperCase()}${away.slice(1)}. Remove ${folder.workspace}, then resubmit.`);
  mkdirSync(folder.workspace, { recursive: true, mode: 0o700 });

  const handoff = deed.errand.key;
  const head = await readHead(deed);
  if (head.handoff !== handoff) {
    const problem = await commitRestored(deed, repository, { commit, names, handoff, away: away !== null });
    if (problem) return no(problem);
  }
  const now = await readHead(deed);
  await git.out(at(workspacePlace(deed), ['read-tree', '--reset', '-u', now.commit]));
  const bare = away !== null && !existsSync(path.join(folder.workspace, '.git'));
  if (bare) makeAgentRepository(deed, repository, now.commit, repository.sparse);
  await publish(git, repository.commonDir, refs, now.commit);
  const changed = now.handoff === handoff && now.parent ? await differing(deed, now.parent, now.commit, 'all') : [];
  return { restored: changed.length, problem: null };
}

type Wanted = { commit: string; names: readonly string[]; handoff: string; away: boolean };

async function commitRestored(
  deed: Deed,
  { format }: NonNullable<WorkspaceRecord['repository']>,
  { commit, names, handoff, away }: Wanted,
): Promise<string | null> {
  const { git, folder } = deed;
  const place = workspacePlace(deed);
  if (!away) {
    await stageAll(git, place, format);
    const kept = { subject: 'The workspace before it was rolled back', handoff: `${handoff} before` };
    await commitFor(deed, await writeTree(deed, place), kept);
  }
  const head = await readHead(deed);
  for (const name of names) {
    const there = await Promise.all([head.commit, commit].map((one) => holds(deed, one, name)));
    if (!there.includes(true)) return `There is no ${JSON.stringify(name)} in the workspace, nor at that point.`;
  }
  const files = await differing(deed, commit, head.commit, names.length > 0 ? { names } : 'all');
  const tree = await treeWith(deed, head.commit, files, path.join(folder.git, 'restore-index'));
  await commitFor(deed, tree, { subject: `Rolled back to ${commit.slice(0, 12)}`, handoff });
  return null;
}

async function holds({ git, folder }: Deed, commit: string, name: string): Promise<boolean> {
  const args = ['ls-tree', '-z', '--name-only', commit, '--', name];
  return (await git.out({ args, cwd: folder.git, dir: folder.git, literal: true })).length > 0;
}

const no = (problem: string): Result => ({ restored: 0, problem });

import { existsSync, readdirSync, renameSync } from 'node:fs';
import path from 'node:path';
import type { Held } from '../engine/ports.js';
import { commitFor, dropWorkspaceLocks, readHead, workspacePlace, writeTree } from './commit-work.js';
import { Deed, type WorkspaceOptions } from './deed.js';
import { checkedOutIn, publish, readRefs } from './publish.js';
import { removeFolder } from './remove-folder.js';
import { stageAll } from './stage-all.js';
import { ledgerRepository, mergeFolder } from './task/merge-folder.js';
import { inRepository } from './user-repository.js';
import { workspaceProblem } from './workspace-problem.js';
import { readRecord, type WorkspaceRecord } from './workspace-record.js';

export type CleanUpRequest = WorkspaceOptions & { held: Held; signal: AbortSignal };
export type CleanedUp = {
  /** Whether the folders of the job are gone. */
  removed: boolean;
  /** Whether its branch and pins are gone from the user's repository too. */
  refsRemoved: boolean;
  /** What stays, and why; null when nothing does. */
  kept: string | null;
};

/** An attempt at a task counts for nothing but what of it is merged, or waits for that. */
async function cleanUpTask({ git, folder, refs }: Deed, { repository }: WorkspaceRecord): Promise<CleanedUp> {
  const there =
    repository && existsSync(repository.commonDir) ? await readRefs(git, repository.commonDir, [refs.pin]) : [];
  for (const one of [folder.workspace, folder.home, folder.cache, folder.agents, folder.git, folder.record])
    discard(one);
  const waits = [...there].length > 0;
  return { removed: true, refsRemoved: !waits, kept: waits ? `${refs.pin}: it is not merged` : null };
}

async function cleanUpLedger(deed: Deed, commonDir: string): Promise<CleanedUp> {
  const merged = !existsSync(commonDir) || (await dropMergedRefs(deed, commonDir, null));
  discard(mergeFolder(deed.folder));
  const kept = merged ? null : `${deed.refs.branch}: it is in no other branch, or in use`;
  return { removed: true, refsRemoved: merged, kept };
}

/** Frees what a job takes on the disk. Whatever is not in the user's repository is brought there first, or stays. */
export async function cleanUp(request: CleanUpRequest): Promise<CleanedUp> {
  const deed = new Deed(request, { held: request.held, key: 'clean-up', signal: request.signal });
  const { folder } = deed;
  const known = readRecord(folder);
  if (known?.task) return cleanUpTask(deed, known);
  const ledger = ledgerRepository(folder);
  if (ledger !== null) return cleanUpLedger(deed, ledger);
  const repository = known?.repository;
  if (!repository) return withoutRepository(deed);
  if (!existsSync(repository.commonDir)) {
    return {
      removed: false,
      refsRemoved: false,
      kept: `${folder.workspace}: its repository is gone, so it is the only copy`,
    };
  }
  const commit = existsSync(folder.git) ? await keepAll(deed, repository) : null;
  const merged = await dropMergedRefs(deed, repository.commonDir, commit);
  const { workspace, check, land, home, cache, agents, git, record } = folder;
  for (const one of [workspace, check, land, home, cache, agents, git, record]) discard(one);
  const kept = merged ? null : `${deed.refs.branch}: it is in no other branch, or in use`;
  return { removed: true, refsRemoved: merged, kept };
}

/** Out of the way at once: a folder that is half deleted must never be taken for what the agent left. */
function discard(one: string): void {
  const away = `${one}.removed`;
  removeFolder(away);
  if (existsSync(one)) renameSync(one, away);
  removeFolder(away);
}

function withoutRepository({ folder }: Deed): CleanedUp {
  const empty = !existsSync(folder.workspace) || readdirSync(folder.workspace).length === 0;
  if (!empty) return { removed: false, refsRemoved: false, kept: `${folder.workspace}: it is the only copy` };
  for (const one of [folder.workspace, folder.agents]) removeFolder(one);
  return { removed: true, refsRemoved: false, kept: null };
}

async function keepAll(deed: Deed, { commonDir, format }: NonNullable<WorkspaceRecord['repository']>): Promise<string> {
  const { git, folder, refs } = deed;
  dropWorkspaceLocks(deed);
  if (workspaceProblem(folder.workspace) === null) {
    const place = workspacePlace(deed);
    await stageAll(git, place, format);
    const message = { subject: 'What was left in the workspace', handoff: deed.errand.key };
    await commitFor(deed, await writeTree(deed, place), message);
  }
  const { commit } = await readHead(deed);
  await publish(git, commonDir, refs, commit);
  return commit;
}

/** The refs of a job go when another branch has all its commits. Only Baton's own commits count as the job's. */
async function dropMergedRefs({ git, refs }: Deed, commonDir: string, commit: string | null): Promise<boolean> {
  // Below the base of a ledger lies what its branch has lost to its user.
  const there = await readRefs(git, commonDir, [refs.head, path.posix.dirname(refs.base)]);
  const tip = commit ?? there.get(refs.pin);
  if (tip === undefined || there.size === 0) return there.size === 0;
  const containing = ['for-each-ref', '--format=%(refname)', `--contains=${tip}`, 'refs/heads', 'refs/remotes'];
  const holders = (await git.line(inRepository(commonDir, containing))).split('\n');
  const branch = there.get(refs.head);
  const untouched = branch === undefined || branch === tip;
  if ((await checkedOutIn(git, commonDir, refs.head)).length > 0) return false;
  if (!untouched || !holders.some((name) => name !== '' && !name.startsWith('refs/heads/baton/'))) return false;
  const deletes = [...there].map(([name, object]) => `delete ${name} ${object}\n`).join('');
  await git.out(inRepository(commonDir, ['update-ref', '--stdin'], { stdin: deletes }));
  return true;
}

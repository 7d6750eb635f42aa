import { rmSync } from 'node:fs';
import path from 'node:path';
import type { CheckedWork, JobDeeds } from '../core/job/job-deeds.js';
import { checkOutTree, linkIgnored } from './clean-copy.js';
import { readHead } from './commit-work.js';
import type { Deed } from './deed.js';
import { fitting } from './fit-event.js';
import { type Differing, differing, shown, treeWith } from './protected-files.js';
import { removeFolder } from './remove-folder.js';
import { runChecks } from './run-checks.js';
import { readRecord } from './workspace-record.js';

/**
 * Proves the work of a handoff on a copy made of its commit, in which protected files are as the job began. The
 * workspace itself is not touched, so a crash leaves nothing to put back.
 */
export async function check(deed: Deed, input: JobDeeds['check']['input']): Promise<CheckedWork> {
  const { folder, git } = deed;
  const { workspace, checks, protect, env } = input;
  const repository = readRecord(folder)?.repository;
  if (!repository || workspace.base === null)
    return told(deed, [], await runChecks(deed, folder.workspace, checks, env));

  const { commit } = await readHead(deed);
  const changed = protect.length > 0 ? await differing(deed, workspace.base, commit, { patterns: protect }) : [];
  if (checks.length === 0) return told(deed, changed, { results: [], failure: null });
  try {
    const index = path.join(folder.git, 'check-index');
    rmSync(`${index}.lock`, { force: true });
    const tree = await treeWith(deed, commit, changed, index);
    await checkOutTree(git, { dir: folder.git, tree: folder.check, index }, tree, repository.sparse);
    await linkIgnored(deed, folder.check, protect);
    return told(deed, changed, await runChecks(deed, folder.check, checks, env));
  } finally {
    removeFolder(folder.check);
  }
}

function told(
  deed: Deed,
  changed: readonly Differing[],
  { results, failure }: Awaited<ReturnType<typeof runChecks>>,
): CheckedWork {
  const guidance = failure === null ? null : deed.seal(failure);
  return { results, protectedChanged: fitting(shown(changed)), guidance };
}

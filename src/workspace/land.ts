/**
 * Lands a job: its branch is merged beside the user's tree, the merged tree is checked, and only then a ref moves, from
 * exactly the commit that was merged into. A tree in which that branch is checked out follows only when it is clean.
 */

import path from 'node:path';
import type { CheckResult } from '../core/job/job-deeds.js';
import type { Held, SealedBody } from '../engine/ports.js';
import { checkOutTree, linkIgnored } from './clean-copy.js';
import { changesBetween, commitTree } from './commit-work.js';
import { Deed, type WorkspaceOptions } from './deed.js';
import { fitting } from './fit-event.js';
import { finishMove } from './follow-tree.js';
import { GitMissing, shownPath, splitPaths } from './git.js';
import { makeGitDirectory } from './git-directory.js';
import { at, indexEntries, type Place, skipSubmodules } from './index-entries.js';
import { moveRef } from './move-ref.js';
import { checkedOutIn, readRefs } from './publish.js';
import { removeFolder } from './remove-folder.js';
import { runChecks } from './run-checks.js';
import { findRepository, inRepository, isAncestor, type UserRepository } from './user-repository.js';

export type LandRequest = WorkspaceOptions & {
  /** The user's folder. */
  repo: string;
  held: Held;
  /** The job whose branch is landed. */
  job: string;
  /** A branch; null is the one the folder has checked out. */
  into?: string | null;
  squash?: boolean;
  /** Of the commit that squashes or merges. */
  subject?: string;
  checks: readonly (readonly string[])[];
  env?: readonly string[];
  signal: AbortSignal;
  /** Names its processes. */
  key?: string;
};

type Outcome =
  | { type: 'landed'; from: string; to: string; ref: string; files: number }
  | { type: 'conflict'; files: string[] }
  | { type: 'checks-failed'; results: readonly CheckResult[] }
  /** Somebody moved the branch meanwhile; try again. */
  | { type: 'moved' }
  | { type: 'refused'; reason: string };

export type Landing = Outcome & { bodies: readonly SealedBody[] };

const LAND_KEY = 'land';

export async function landJob(request: LandRequest): Promise<Landing> {
  const deed = new Deed(request, {
    held: request.held,
    key: request.key ?? LAND_KEY,
    signal: request.signal,
    job: request.job,
  });
  try {
    return { ...(await land(deed, request)), bodies: deed.bodies };
  } catch (failure) {
    if (!(failure instanceof GitMissing)) throw failure;
    return { ...refused('git was not found. Install git, then land again.'), bodies: [] };
  } finally {
    removeFolder(deed.folder.land);
  }
}

async function land(
  deed: Deed,
  { repo, into, squash = false, subject, checks, env = [] }: LandRequest,
): Promise<Outcome> {
  const { git, refs } = deed;
  const found = await findRepository(git, repo);
  if ('problem' in found) return refused(found.problem);
  const { commonDir } = found;
  const cutOff = await finishMove(deed, commonDir);
  if (cutOff) return cutOff;
  const ref = await targetOf(deed, found, into ?? null);
  if (typeof ref !== 'string') return ref;
  const tips = await readRefs(git, commonDir, [ref, refs.pin]);
  const [from, work] = [tips.get(ref), tips.get(refs.pin)];
  if (work === undefined) return refused(`There is no ${refs.pin} in ${repo}, so there is nothing to land.`);
  if (from === undefined) return refused(`There is no branch ${ref}. Name one that exists, or create it.`);
  if (await isAncestor(git, commonDir, work, from)) return { type: 'landed', from, to: from, ref, files: 0 };

  const place = await cloneFor(deed, found, from);
  const forward = !squash && (await isAncestor(git, commonDir, from, work));
  const merged = forward ? { tree: work } : await merge(deed, place, work);
  if ('files' in merged) return { type: 'conflict', files: shownFiles(merged.files) };
  if (forward) await checkOutTree(git, place, work, false);
  if (checks.length > 0) {
    await linkIgnored(deed, place.tree, []);
    const { results, failure } = await runChecks(deed, place.tree, checks, env);
    if (failure !== null) return { type: 'checks-failed', results };
  }
  const message = { subject: subject ?? `Land ${deed.run}`, handoff: null };
  const to = forward ? work : await commitTree(deed, merged.tree, squash ? [from] : [from, work], message, place.dir);
  const files = (await changesBetween(deed, from, to, place.dir)).length;
  const trees = await checkedOutIn(git, commonDir, ref);
  const moved = await moveRef(deed, { commonDir, ref, from, to, trees, files });
  return moved ?? { type: 'landed', from, to, ref, files };
}

async function targetOf(
  { git, refs }: Deed,
  { gitDir, commonDir }: UserRepository,
  into: string | null,
): Promise<string | Outcome> {
  if (into === null) {
    const { code, out } = await git.run({ args: ['symbolic-ref', '-q', 'HEAD'], cwd: commonDir, dir: gitDir });
    if (code !== 0) return refused('No branch is checked out. Say which one to land in with --into.');
    into = out.toString('utf8').trim();
  }
  const ref = into.startsWith('refs/heads/') ? into : `refs/heads/${into}`;
  const valid = await git.run(inRepository(commonDir, ['check-ref-format', ref]));
  if (valid.code !== 0 || into.startsWith('-')) return refused(`${JSON.stringify(into)} is no name of a branch.`);
  return ref === refs.head ? refused('A job cannot land in its own branch. Say which one with --into.') : ref;
}

/** A clone without hooks and settings of anybody's, whose objects are the user's. */
async function cloneFor(
  { git, folder }: Deed,
  found: UserRepository,
  from: string,
): Promise<Place & { index: string }> {
  removeFolder(folder.land);
  const dir = path.join(folder.land, 'git');
  const objects = { shared: path.join(found.commonDir, 'objects') };
  makeGitDirectory(dir, found, { head: 'refs/heads/target', commit: from, objects, bare: true });
  const place = { dir, tree: path.join(folder.land, 'tree'), index: path.join(dir, 'index') };
  await checkOutTree(git, place, from, false);
  return place;
}

async function merge({ git }: Deed, place: Place, work: string): Promise<{ tree: string } | { files: string[] }> {
  await skipSubmodules(git, place, await indexEntries(git, place));
  const { code, said } = await git.run(
    at(place, ['merge', '--no-commit', '--no-ff', '--no-stat', '-q', '--no-verify', work]),
  );
  const unmerged = splitPaths(
    await git.out(at(place, ['diff', '--name-only', '-z', '--diff-filter=U', '--ignore-submodules=all'])),
  );
  if (unmerged.length > 0) return { files: [...new Set(unmerged)].map(shownPath) };
  if (code !== 0) throw new Error(`git merge failed (${code}): ${said.slice(-2_000)}`);
  return { tree: await git.line(at(place, ['write-tree'])) };
}

/** An event has to hold them. */
function shownFiles(files: readonly string[]): string[] {
  const shown = fitting(files);
  return shown.length === files.length ? shown : [...shown, `and ${files.length - shown.length} more`];
}

const refused = (reason: string) => ({ type: 'refused', reason }) as const;

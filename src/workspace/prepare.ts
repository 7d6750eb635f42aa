import { existsSync, mkdirSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import type { JobDeeds, Prepared, Workspace } from '../core/job/job-deeds.js';
import type { Repository } from '../core/job/job-order.js';
import { makeAgentRepository } from './agent-repository.js';
import { allEnded } from './all-ended.js';
import { UserFiles } from './bring-along.js';
import { commitTree } from './commit-work.js';
import type { Deed } from './deed.js';
import { shownPath } from './git.js';
import { findIncluded } from './included-files.js';
import type { JobFolder } from './job-folder.js';
import { bringIncluded, checkOutWork, isSparse, makeJobGit } from './job-git.js';
import { mend } from './mend.js';
import { claimRefs, foreignRefs } from './publish.js';
import { removeFolder } from './remove-folder.js';
import { NO_SETUP, runSetup } from './run-setup.js';
import { findStart } from './start-commit.js';
import { findRepository, type Problem, type UserRepository } from './user-repository.js';
import { workspaceProblem } from './workspace-problem.js';
import { readRecord, writeRecord } from './workspace-record.js';

type Ready = Workspace & { leftOut: number /** What a person should know. */; notes: string[] };

/**
 * Makes the folder an agent works in. Until it is recorded as prepared nobody has worked in it, so whatever an earlier
 * try left is thrown away.
 */
export async function prepare(deed: Deed, input: JobDeeds['prepare']['input']): Promise<Prepared> {
  const { folder } = deed;
  if (input.before) return mend(deed, input, input.before);
  const { repository, setup: command, forkedFrom } = input;
  if (!repository && !command && !forkedFrom) return emptyWorkspace(folder);
  const record = readRecord(folder);
  if (record?.prepared && workspaceProblem(folder.workspace) === null) return record.prepared as Prepared;
  for (const rest of [folder.workspace, folder.git, folder.check, folder.cache]) removeFolder(rest);
  const made = await makeWorkspace(deed, input);
  if ('problem' in made) return { ...made, output: null };
  const order = command && { argv: command, env: input.env, byAgent: forkedFrom !== null };
  const setup = order ? await runSetup(deed, order) : NO_SETUP;
  if ('problem' in setup) return setup;
  const prepared = { ...made, ...setup, notes: [...made.notes, ...setup.notes] };
  writeRecord(folder, { repository: readRecord(folder)?.repository ?? null, prepared });
  return prepared;
}

/** However often it is made, an earlier try can have left nothing in it: nothing need be recorded. */
async function emptyWorkspace({ workspace }: JobFolder): Promise<Prepared> {
  await mkdir(workspace, { recursive: true, mode: 0o700 });
  return { folder: workspace, branch: null, base: null, leftOut: 0, notes: [], setupMs: 0 };
}

async function makeWorkspace(
  deed: Deed,
  { repository, forkedFrom }: JobDeeds['prepare']['input'],
): Promise<Ready | Problem> {
  const { folder, git } = deed;
  if (!repository) {
    if (forkedFrom) return { problem: `${forkedFrom.job} has no repository, so there are no files to start from.` };
    mkdirSync(folder.workspace, { recursive: true, mode: 0o700 });
    return { folder: folder.workspace, branch: null, base: null, leftOut: 0, notes: [] };
  }
  const found = await findRepository(git, repository.folder);
  if ('problem' in found) return found;
  const start = await findStart(deed, found, repository, forkedFrom);
  if ('problem' in start) return start;
  const dirty = repository.dirty && forkedFrom === null;
  return layOut(deed, found, { ...repository, dirty }, start.commit);
}

async function layOut(
  deed: Deed,
  found: UserRepository,
  repository: Repository,
  start: string,
): Promise<Ready | Problem> {
  const { git, folder, refs } = deed;
  const { commonDir, format } = found;
  const sparse = isSparse(repository);
  // Recorded before they are made: refs of this name are this job's from now on, however far this try comes.
  const known = readRecord(folder)?.repository?.commonDir === commonDir;
  const foreign = known ? null : await foreignRefs(git, commonDir, refs);
  if (foreign) return foreign;
  writeRecord(folder, { repository: { commonDir, format, sparse }, prepared: null });
  const unclaimed = await claimRefs(git, commonDir, refs, start);
  if (unclaimed) return unclaimed;
  mkdirSync(folder.workspace, { recursive: true, mode: 0o700 });
  makeJobGit(deed, found, repository, start);
  // What is left out is counted while the files are written, unless some of it is to be written too.
  const writing = repository.dirty ? null : checkOutWork(deed, repository, start);
  const [brought] = await allEnded(bringAlong(deed, found, repository, start), writing);
  if ('problem' in brought) return brought;
  const { base, leftOut, included } = brought;
  if (!writing) await checkOutWork(deed, repository, base);
  bringIncluded(deed, found.top, included);
  makeAgentRepository(deed, found, base, sparse);
  const submodules = existsSync(path.join(folder.workspace, '.gitmodules'));
  const notes = [...found.notes, ...(submodules ? ['The repository has submodules; they are not filled in.'] : [])];
  return { folder: folder.workspace, branch: refs.branch, base, leftOut, notes };
}

type Brought = { base: string; leftOut: number; included: string[] };

async function bringAlong(
  deed: Deed,
  found: UserRepository,
  { dirty }: Repository,
  start: string,
): Promise<Brought | Problem> {
  const { git, folder, refs } = deed;
  const files = await UserFiles.open(git, found, folder.git);
  if (!files || found.top === null) return { base: start, leftOut: 0, included: [] };
  const included = await findIncluded(files, found.top);
  if ('problem' in included) return included;
  // What is copied is not committed too: it is mostly there because it is secret.
  const copied = new Set(included);
  const untracked = (await files.untracked()).filter((file) => !copied.has(shownPath(file)));
  const head = { args: ['rev-parse', '-q', '--verify', 'HEAD'], cwd: found.commonDir, dir: found.gitDir };
  const { code, out } = await git.run(head);
  const changed = code === 0 ? await files.changed(out.toString('utf8').trim()) : [];
  const count = changed.length + untracked.length;
  const tree = dirty && count > 0 ? await files.writeTree(untracked) : null;
  files.close();
  if (tree === null) return { base: start, leftOut: count, included };
  const subject = 'Files that were not committed when the job began';
  const base = await commitTree(deed, tree, [start], { subject, handoff: null });
  await git.out({ args: ['update-ref', refs.head, base, start], cwd: folder.git, dir: folder.git });
  const unclaimed = await claimRefs(git, found.commonDir, refs, base);
  return unclaimed ?? { base, leftOut: untracked.filter((file) => file.endsWith('/')).length, included };
}

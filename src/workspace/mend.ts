import { existsSync, mkdirSync, readlinkSync, rmSync } from 'node:fs';
import path from 'node:path';
import type { JobDeeds, Prepared } from '../core/job/job-deeds.js';
import type { Repository } from '../core/job/job-order.js';
import { dropWorkspaceLocks, workspacePlace } from './commit-work.js';
import type { Deed } from './deed.js';
import { fillWorkspace } from './fill-workspace.js';
import { at } from './index-entries.js';
import { isSparse, makeJobGit } from './job-git.js';
import { publish } from './publish.js';
import { removeFolder } from './remove-folder.js';
import { NO_SETUP, runSetup } from './run-setup.js';
import { findRepository, inRepository, type Problem, type UserRepository } from './user-repository.js';
import { workspaceProblem } from './workspace-problem.js';
import { readRecord, writeRecord } from './workspace-record.js';

type Input = JobDeeds['prepare']['input'];
type Before = NonNullable<Input['before']>;

const MADE_AGAIN = 'The workspace was gone; it was made again from the last commit of the job.';

/** Sees to it that a workspace in which somebody worked already is there; what is gone of it is made again. */
export async function mend(deed: Deed, { repository, setup, env }: Input, before: Before): Promise<Prepared> {
  const { folder, refs } = deed;
  const record = readRecord(folder);
  // Recorded before it is filled: one that is half filled must never be taken for what an agent left.
  const halfMade = record !== null && record.prepared === null;
  const away = halfMade || workspaceProblem(folder.workspace) !== null;
  if (away) {
    writeRecord(folder, { repository: record?.repository ?? null, prepared: null });
    removeFolder(folder.workspace);
  }
  mkdirSync(folder.workspace, { recursive: true, mode: 0o700 });
  const made = repository ? await mendRepository(deed, repository, before, away) : null;
  if (made && 'problem' in made) return { ...made, output: null };
  const done = away && setup ? await runSetup(deed, { argv: setup, env, byAgent: true }) : NO_SETUP;
  if ('problem' in done) return done;
  const branch = repository ? refs.branch : null;
  const place = { folder: folder.workspace, branch, base: before.base };
  const prepared = { ...place, ...done, leftOut: 0, notes: [...(away ? [MADE_AGAIN] : []), ...done.notes] };
  const known = made && repository && { commonDir: made.commonDir, format: made.format, sparse: isSparse(repository) };
  writeRecord(folder, { repository: known, prepared });
  return prepared;
}

async function mendRepository(
  deed: Deed,
  repository: Repository,
  before: Before,
  away: boolean,
): Promise<UserRepository | Problem> {
  const { git, folder, refs } = deed;
  const found = await findRepository(git, repository.folder);
  if ('problem' in found) return found;
  const commit = before.commit ?? before.base ?? '';
  const known = await git.run(inRepository(found.commonDir, ['cat-file', '-e', `${commit}^{commit}`]));
  if (known.code !== 0) {
    return { problem: `The work of the job, ${commit}, is not in ${repository.folder}. Put that repository back.` };
  }
  const whole = await isWhole(deed, found);
  if (whole && !away) return found;
  if (!whole) {
    removeFolder(folder.git);
    makeJobGit(deed, found, repository, commit);
  }
  dropWorkspaceLocks(deed);
  rmSync(path.join(folder.git, 'index'), { force: true });
  if (away) {
    const problem = await fillWorkspace(deed, found, repository, commit);
    if (problem) return problem;
  } else {
    await git.out(at(workspacePlace(deed), ['read-tree', commit]));
  }
  await publish(git, found.commonDir, refs, commit);
  return found;
}

/** Whether Baton's own directory of the job is there and borrows from the repository that was found. */
async function isWhole({ git, folder }: Deed, { commonDir }: UserRepository): Promise<boolean> {
  if (!existsSync(path.join(folder.git, 'index'))) return false;
  if (readlinkSync(path.join(folder.git, 'objects')) !== path.join(commonDir, 'objects')) return false;
  const head = { args: ['rev-parse', '-q', '--verify', 'HEAD^{commit}'], cwd: folder.git, dir: folder.git };
  return (await git.run(head)).code === 0;
}

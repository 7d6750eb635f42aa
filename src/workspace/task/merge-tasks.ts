/**
 * Brings the work of tasks into the branch of their ledger, one commit each, beside every working tree.
 *
 * M1. The branch moves once, from exactly the commit that all was put on; when it has moved meanwhile all is done again.
 * M2. What an earlier try has merged is found by its trailers, between the base of the ledger and its tip.
 * M3. A tree in which the branch is checked out follows when it is clean; otherwise a person is asked, and nothing moves.
 */
import type { DeedProblem } from '../../core/job/job-deeds.js';
import type { LedgerDeeds, Merge, Merged } from '../../core/task/task-deeds.js';
import { taskRun } from '../../core/task/task-order.js';
import { changesBetween, writeCommit } from '../commit-work.js';
import type { Deed } from '../deed.js';
import { fitting } from '../fit-event.js';
import { finishMove, type NotMoved } from '../follow-tree.js';
import { jobRefs } from '../job-folder.js';
import { moveRef } from '../move-ref.js';
import { oneLine, SUBJECT_LENGTH_MAX } from '../one-line.js';
import { checkedOutIn, readRefs } from '../publish.js';
import { findRepository, type UserRepository } from '../user-repository.js';
import { findTip, type LedgerTip, moveRefs, pinTip } from './ledger-refs.js';
import { makeMergeFolder } from './merge-folder.js';
import { GitTooOld, mergeTrees, treeOf } from './merge-trees.js';

type Input = LedgerDeeds['merge']['input'];
type Result = LedgerDeeds['merge']['result'];

const ROUNDS_MAX = 20;
/** Of all of them together. */
const CONFLICT_BYTES_MAX = 24 * 1024;

export async function mergeTasks(deed: Deed, { repository, merges }: Input): Promise<Result> {
  const found = await findRepository(deed.git, repository.folder);
  if ('problem' in found) return problem(found.problem);
  const cutOff = await finishMove(deed, found.commonDir);
  if (cutOff?.type === 'refused') return problem(cutOff.reason);
  for (let round = 0; round < ROUNDS_MAX; round += 1) {
    const at = await findTip(deed, found);
    if ('problem' in at) return problem(at.problem);
    const dir = makeMergeFolder(deed.folder, found, at.base);
    const put = await putOn(deed, dir, at, merges);
    if (put === 'git too old') return problem('This git is too old to merge tasks. Update git to 2.38.');
    const stays = await moveBranch(deed, found, at, put.tip);
    if (stays?.type === 'refused') return problem(stays.reason);
    if (stays) continue;
    await pinTip(deed, found.commonDir, at.tip, put.tip);
    await dropPins(deed, found.commonDir, merges, put.merged);
    return { merged: put.merged };
  }
  throw new Error(`${deed.refs.branch} was moved by others ${ROUNDS_MAX} times`);
}

/** What is said to people who land something themselves is to be done by nobody here. */
const LAND_AGAIN = /,? then land again|Land again when it is done\./g;
const problem = (text: string): DeedProblem => ({ kind: 'workspace', problem: text.replace(LAND_AGAIN, '').trim() });

type Put = { tip: string; merged: Merged[] };

/** Makes the commits; no ref moves. */
async function putOn(deed: Deed, dir: string, at: LedgerTip, merges: readonly Merge[]): Promise<Put | 'git too old'> {
  const earlier = await mergedBefore(deed, dir, at);
  const merged: Merged[] = [];
  let { tip } = at;
  for (const { task, attempt, ...merge } of merges) {
    const handoff = taskRun(deed.run, task, attempt);
    const before = earlier.get(handoff);
    if (before !== undefined) {
      merged.push({ task, attempt, commit: before });
      continue;
    }
    const commits = { base: merge.base, ours: tip, theirs: merge.commit };
    const result = await mergeTrees(deed, dir, commits).catch((failure: unknown) => {
      if (failure instanceof GitTooOld) return null;
      throw failure;
    });
    if (!result) return 'git too old';
    if ('conflicts' in result) {
      merged.push({ task, attempt, conflicts: shown(result.conflicts, merges.length) });
      continue;
    }
    if (result.tree !== (await treeOf(deed, dir, tip))) {
      const subject = oneLine(deed.options.scrub, merge.title, SUBJECT_LENGTH_MAX) || task;
      const trailers = [`Baton-Task: ${task}`, `Baton-Handoff: ${handoff}`, `Baton-Run: ${deed.run}`];
      tip = await writeCommit(deed, { tree: result.tree, parents: [tip], subject, trailers, dir });
    }
    merged.push({ task, attempt, commit: tip });
  }
  return { tip, merged };
}

function shown(files: readonly string[], merges: number): string[] {
  const some = fitting(files, Math.floor(CONFLICT_BYTES_MAX / merges));
  return some.length === files.length ? some : [...some, `and ${files.length - some.length} more`];
}

/** By the run of the attempt. */
async function mergedBefore({ git }: Deed, dir: string, { base, tip }: LedgerTip): Promise<Map<string, string>> {
  const format = '--format=%H %(trailers:key=Baton-Handoff,valueonly,separator=%x20)';
  const said = await git.line({ args: ['log', format, `${base}..${tip}`], cwd: dir, dir });
  const lines = said.split('\n').map((line) => line.split(' '));
  return new Map(lines.flatMap(([commit = '', ...handoffs]) => handoffs.map((one) => [one, commit] as const)));
}

/** Null when it is where it should be. */
async function moveBranch(
  deed: Deed,
  { commonDir }: UserRepository,
  { tip, hasBranch }: LedgerTip,
  to: string,
): Promise<NotMoved | null> {
  const { git, refs } = deed;
  if (!hasBranch) return (await moveRefs(deed, commonDir, [`create ${refs.head} ${to}`])) ? null : { type: 'moved' };
  if (tip === to) return null;
  const trees = await checkedOutIn(git, commonDir, refs.head);
  const files = trees.length > 0 ? (await changesBetween(deed, tip, to, commonDir)).length : 0;
  return moveRef(deed, { commonDir, ref: refs.head, from: tip, to, trees, files });
}

/** What is on the branch needs nothing else to hold it; that of earlier attempts is not needed any more either. */
async function dropPins(
  deed: Deed,
  commonDir: string,
  merges: readonly Merge[],
  merged: readonly Merged[],
): Promise<void> {
  const done = merges.filter((_, index) => 'commit' in (merged[index] ?? {}));
  const pins = done.flatMap(({ task, attempt }) =>
    Array.from({ length: attempt }, (_, before) => jobRefs(taskRun(deed.run, task, before + 1)).pin),
  );
  if (pins.length === 0) return;
  const there = await readRefs(deed.git, commonDir, pins);
  if (there.size > 0)
    await moveRefs(
      deed,
      commonDir,
      [...there].map(([name, commit]) => `delete ${name} ${commit}`),
    );
}

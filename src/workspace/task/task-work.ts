import path from 'node:path';
import type { TaskDeeds, TaskReading } from '../../core/task/task-deeds.js';
import { allEnded } from '../all-ended.js';
import { changesBetween, commitFor, dropWorkspaceLocks, readHead, workspacePlace, writeTree } from '../commit-work.js';
import type { Deed } from '../deed.js';
import { dropStaleLocks, joinPaths } from '../git.js';
import { at } from '../index-entries.js';
import { oneLine, SUBJECT_LENGTH_MAX } from '../one-line.js';
import { differing } from '../protected-files.js';
import { stageAll } from '../stage-all.js';
import { inRepository } from '../user-repository.js';
import type { TaskRecord, WorkspaceRecord } from '../workspace-record.js';
import { stampOf } from './lay-scope.js';
import { outOfScope } from './scope-check.js';

type Input = TaskDeeds['collect']['input'];
type Repository = NonNullable<WorkspaceRecord['repository']>;

export type TaskWork = {
  tree: string;
  changed: TaskReading['changed'];
  violation: { path: string; because: string } | undefined;
  warnings: string[];
};

/** The workspace as the agent left it, without what is Baton's own in it. */
export async function stageTaskWork(
  deed: Deed,
  { format }: Repository,
  task: TaskRecord,
  { spec, workspace }: Input,
): Promise<TaskWork> {
  const base = workspace.base ?? '';
  dropWorkspaceLocks(deed);
  const place = workspacePlace(deed);
  const warnings = await stageAll(deed.git, place, format);
  const untouched = task.made.filter((one) => stampOf(path.join(place.tree, one.path)) === one.stamp);
  const own = [task.worklog.path, ...untouched.map((one) => one.path)].map((one) =>
    Buffer.from(one).toString('latin1'),
  );
  const back = ['reset', '-q', '--pathspec-from-file=-', '--pathspec-file-nul', base];
  await deed.git.out(at(place, back, { stdin: joinPaths(own), literal: true }));
  const tree = await writeTree(deed, place);
  const [changes, names] = await allEnded(changesBetween(deed, base, tree), differing(deed, base, tree, 'all'));
  const sum = (of: 'added' | 'removed'): number => changes.reduce((total, change) => total + change[of], 0);
  return {
    tree,
    changed: { files: changes.length, added: sum('added'), removed: sum('removed') },
    violation: outOfScope(
      names.map((one) => one.path),
      spec,
    ),
    warnings,
  };
}

/** Commits it, and keeps the user's `git gc` from dropping it before it is merged. */
export async function keepTaskWork(
  deed: Deed,
  { commonDir }: Repository,
  { tree }: TaskWork,
  { spec, workspace }: Input,
): Promise<string> {
  const { git, refs, options } = deed;
  const subject = oneLine(options.scrub, spec.title, SUBJECT_LENGTH_MAX) || spec.task_id;
  const commit = await commitFor(deed, tree, { subject, handoff: deed.errand.key }, await readHead(deed));
  if (commit === workspace.base) return commit;
  dropStaleLocks(commonDir, [refs.pin]);
  await git.out(inRepository(commonDir, ['update-ref', refs.pin, commit]));
  return commit;
}

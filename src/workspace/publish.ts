import { allEnded } from './all-ended.js';
import type { Git } from './git.js';
import { dropStaleLocks } from './git.js';
import type { JobRefs } from './job-folder.js';
import { inRepository, type Problem } from './user-repository.js';

/** Refs of the user's repository, by name. */
export async function readRefs(git: Git, commonDir: string, patterns: readonly string[]): Promise<Map<string, string>> {
  const args = ['for-each-ref', '--format=%(refname) %(objectname)', ...patterns];
  const lines = (await git.out(inRepository(commonDir, args))).toString('utf8').split('\n').filter(Boolean);
  return new Map(lines.map((line) => line.split(' ') as [string, string]));
}

/** The working folders of a repository in which the ref is checked out. */
export async function checkedOutIn(git: Git, commonDir: string, ref: string): Promise<string[]> {
  const listed = await git.out(inRepository(commonDir, ['worktree', 'list', '--porcelain']));
  const blocks = listed
    .toString('utf8')
    .split('\n\n')
    .map((block) => block.split('\n'));
  return blocks
    .filter((lines) => lines.includes(`branch ${ref}`) && !lines.includes('bare'))
    .flatMap(([first = '']) => (first.startsWith('worktree ') ? [first.slice('worktree '.length)] : []));
}

/** Refs of this job's names that somebody else made. */
export async function foreignRefs(git: Git, commonDir: string, refs: JobRefs): Promise<Problem | null> {
  const there = await readRefs(git, commonDir, [refs.head, refs.base, refs.pin]);
  if (there.size === 0) return null;
  const names = [...there.keys()].join(', ');
  return { problem: `The repository already has ${names}, of another job. Give this job another id, or delete them.` };
}

/** Pins the base and makes the branch, wherever an earlier try of this job left them. */
export async function claimRefs(git: Git, commonDir: string, refs: JobRefs, base: string): Promise<Problem | null> {
  dropStaleLocks(commonDir, [refs.head, refs.base, refs.pin]);
  const updates = [refs.base, refs.pin, refs.head].map((ref) => `update ${ref} ${base}\n`).join('');
  const { code, said } = await git.run(inRepository(commonDir, ['update-ref', '--stdin'], { stdin: updates }));
  if (code === 0) return null;
  if ((await readRefs(git, commonDir, ['refs/heads/baton'])).has('refs/heads/baton')) {
    return { problem: `A branch called "baton" stands in the way of ${refs.branch}. Rename it, then resubmit.` };
  }
  return { problem: `The repository takes no refs of the job: ${said.slice(0, 500)}` };
}

export type ShownRefs = { branch: string | undefined; pin: string | undefined; users: readonly string[] };

/** Where the user's repository shows the job; `users` are the working folders that have its branch checked out. */
export async function lookAtRefs(git: Git, commonDir: string, refs: JobRefs): Promise<ShownRefs> {
  const [there, users] = await allEnded(
    readRefs(git, commonDir, [refs.head, refs.pin]),
    checkedOutIn(git, commonDir, refs.head),
  );
  return { branch: there.get(refs.head), pin: there.get(refs.pin), users };
}

/**
 * Shows a commit of the job in the user's repository. The pin always moves. The branch moves only from where Baton left
 * it, and not under the feet of somebody who has it checked out; otherwise that is said.
 */
export async function publish(
  git: Git,
  commonDir: string,
  refs: JobRefs,
  commit: string,
  shown?: ShownRefs,
): Promise<string[]> {
  dropStaleLocks(commonDir, [refs.head, refs.base, refs.pin]);
  const { branch, pin, users } = shown ?? (await lookAtRefs(git, commonDir, refs));
  if (pin === commit && branch === commit) return [];
  const free = branch === undefined || branch === pin || branch === commit;
  const moves = free && (users.length === 0 || branch === commit);
  const zero = '0'.repeat(commit.length);
  const updates = [
    ...(moves ? [`update ${refs.head} ${commit} ${branch ?? zero}\n`] : []),
    `update ${refs.pin} ${commit}\n`,
  ];
  await git.out(inRepository(commonDir, ['update-ref', '--stdin'], { stdin: updates.join('') }));
  if (moves) return [];
  const why = free ? `it is checked out in ${users.join(', ')}` : 'somebody else has moved it';
  return [`${refs.branch} was left alone, because ${why}; the work of the job is at ${refs.pin}`];
}

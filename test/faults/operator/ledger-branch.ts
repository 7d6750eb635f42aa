import type { UserRepository } from '../jobs/user-repository.js';
import { type Duty, lineOf } from './operator-plan.js';

type BranchFound = { lost: string[]; twice: string[]; other: string[] };
type Commit = { task: string; files: string[] };

/** The branch of a ledger has one commit for each task, which changed what is this task's and nothing else. */
export function examineBranch(repository: UserRepository, run: string, duties: ReadonlyMap<string, Duty>): BranchFound {
  const branch = `baton/${run}`;
  const commits = commitsOf(repository, branch);
  const all = [...duties.values()];
  return {
    lost: [
      ...all.filter(({ task }) => !commits.some((one) => one.task === task)).map(({ task }) => `${task} has no commit`),
      ...all.flatMap((duty) => contentProblems(repository, branch, duty)),
    ],
    twice: [
      ...all.flatMap(({ task }) => {
        const count = commits.filter((one) => one.task === task).length;
        return count > 1 ? [`${task} has ${count} commits`] : [];
      }),
      ...sharedFiles(all).flatMap((file) => repeatedLines(repository.show(branch, file) ?? '', file)),
    ],
    other: commits.flatMap(({ task, files }) => foreignFiles(task, files, duties.get(task))),
  };
}

function commitsOf(repository: UserRepository, branch: string): Commit[] {
  if (repository.git('for-each-ref', `refs/heads/${branch}`) === '') return [];
  const format = '--format=%x00%(trailers:key=Baton-Task,valueonly,separator=%x20)';
  return repository
    .git('log', '--name-only', format, `main..refs/heads/${branch}`)
    .split('\0')
    .slice(1)
    .map((text) => {
      const [task = '', ...files] = text.split('\n').filter(Boolean);
      return { task, files };
    });
}

function contentProblems(repository: UserRepository, branch: string, { task, own, shared }: Duty): string[] {
  const line = lineOf(task);
  const content = repository.show(branch, own);
  const missing = shared.filter((file) => !repository.show(branch, file)?.includes(line));
  return [
    ...(content === line ? [] : [`${own} holds ${JSON.stringify(content)}`]),
    ...missing.map((file) => `the line of ${task} is not in ${file}`),
  ];
}

function sharedFiles(duties: readonly Duty[]): string[] {
  return [...new Set(duties.flatMap(({ shared }) => shared))];
}

function repeatedLines(text: string, file: string): string[] {
  const lines = text.split('\n').filter(Boolean);
  return lines.filter((line, index) => lines.indexOf(line) !== index).map((line) => `"${line}" is twice in ${file}`);
}

function foreignFiles(task: string, files: readonly string[], duty: Duty | undefined): string[] {
  const allowed = duty ? [duty.own, ...duty.shared] : [];
  const foreign = files.filter((file) => !allowed.includes(file));
  return foreign.map((file) => `the commit of ${task || 'nobody'} changes ${file}`);
}

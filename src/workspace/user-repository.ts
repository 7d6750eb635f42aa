import { existsSync, statSync } from 'node:fs';
import path from 'node:path';
import type { Git, GitCall } from './git.js';

/** The user's repository, as far as it is needed. It is read, and given objects and refs; nothing else of it moves. */
export type UserRepository = {
  /** Of all working folders; has refs and objects. */
  commonDir: string;
  /** Of this working folder; has its index. */
  gitDir: string;
  /** Null when it is bare. */
  top: string | null;
  format: 'sha1' | 'sha256';
  /** What a person should know, in sentences. */
  notes: string[];
};

export type Problem = { problem: string };

/** Calls that only look at refs and objects of a repository, wherever its working folders are. */
export function inRepository(commonDir: string, args: readonly string[], more: Partial<GitCall> = {}): GitCall {
  return { args, cwd: commonDir, dir: commonDir, ...more };
}

export async function findRepository(git: Git, folder: string): Promise<UserRepository | Problem> {
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) {
    return { problem: `There is no folder ${folder}. Give the job a repository that is there.` };
  }
  const asked = [
    '--is-bare-repository',
    '--is-inside-work-tree',
    '--git-dir',
    '--git-common-dir',
    '--show-object-format',
  ];
  const { code, out, said } = await git.run({ args: ['rev-parse', ...asked], cwd: folder });
  if (code !== 0) return { problem: whyNoRepository(folder, said) };
  const [bare, inside, gitDir = '', commonDir = '', format] = out.toString('utf8').split('\n');
  if (bare !== 'true' && inside !== 'true') {
    return { problem: `${folder} lies inside a git directory. Name the folder with the files instead.` };
  }
  const top = bare === 'true' ? null : await git.line({ args: ['rev-parse', '--show-toplevel'], cwd: folder });
  const found = {
    commonDir: path.resolve(folder, commonDir),
    gitDir: path.resolve(folder, gitDir),
    top,
    format: format === 'sha256' ? 'sha256' : 'sha1',
  } as const;
  return { ...found, notes: underWay(found.gitDir) };
}

function whyNoRepository(folder: string, said: string): string {
  if (/not a git repository/i.test(said)) {
    return `${folder} is no git repository. Run \`git init\` and commit there, or start the job without a repository.`;
  }
  if (/dubious ownership/i.test(said)) {
    return `${folder} belongs to another user and this git is too old to be told to use it. Update git to 2.38.`;
  }
  return `git cannot use ${folder}: ${said.slice(0, 500)}`;
}

const UNDER_WAY: readonly (readonly [file: string, what: string])[] = [
  ['rebase-merge', 'a rebase'],
  ['rebase-apply', 'a rebase'],
  ['MERGE_HEAD', 'a merge'],
  ['CHERRY_PICK_HEAD', 'a cherry-pick'],
  ['REVERT_HEAD', 'a revert'],
];

function underWay(gitDir: string): string[] {
  const found = UNDER_WAY.find(([file]) => existsSync(path.join(gitDir, file)));
  return found ? [`The repository is in the middle of ${found[1]}; the job starts from its last commit.`] : [];
}

/** The commit a job starts from. */
export async function findBase(
  git: Git,
  { commonDir, gitDir }: UserRepository,
  base: string | null,
): Promise<string | Problem> {
  const look = (name: string) => {
    const args = ['rev-parse', '--verify', '--quiet', '--end-of-options', `${name}^{commit}`];
    return git.run({ args, cwd: commonDir, dir: gitDir });
  };
  const { code, out } = await look(base ?? 'HEAD');
  if (code === 0) return lastLine(out);
  if (base === null || (await look('HEAD')).code !== 0) {
    const empty = 'The repository has no commit to start from.';
    return {
      problem: base === null ? `${empty} Commit something, or name a base.` : `${empty} Commit something first.`,
    };
  }
  return {
    problem: `The repository knows no commit ${JSON.stringify(base.slice(0, 200))}. Name a branch, tag or commit it has.`,
  };
}

/** Before 2.30 `--end-of-options` is printed too. */
function lastLine(out: Buffer): string {
  return out.toString('utf8').trim().split('\n').at(-1) ?? '';
}

export async function isAncestor(git: Git, dir: string, older: string, newer: string): Promise<boolean> {
  return (await git.run(inRepository(dir, ['merge-base', '--is-ancestor', older, newer]))).code === 0;
}

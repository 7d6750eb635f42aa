import { pathProblem } from '../../contracts/shared/relative-path.js';
import { type Git, GitMissing } from '../../workspace/git.js';
import { stop } from '../tool.js';
import { checkedPath, refusePath } from './checked-path.js';
import { globMatcher } from './glob.js';
import { lookInside } from './look-inside.js';
import { isOwn, type Own, refuseOwn } from './own-place.js';
import { FILES_MAX, walkFolder } from './walk-folder.js';

export type Selection = { path?: string | undefined; glob?: string | undefined };

/**
 * The files of the folder that are the user's own work, in the order of their names: what git tracks or would offer to,
 * or, where there is no repository, all but hidden and vendored folders.
 */
export async function consideredFiles(
  folder: string,
  { path, glob }: Selection,
  { git, signal, own }: { git: Git; signal: AbortSignal; own: Own },
): Promise<string[]> {
  const under = path === undefined ? '' : checkedPath(path);
  if (under !== '') refuseOwn(own, under);
  if (under !== '') await refuseElsewhere(folder, under);
  const fits = glob === undefined ? () => true : globMatcher(glob);
  const all = (await filesOfGit(folder, git)) ?? (await walkFolder(folder, signal));
  const isUnder = (file: string): boolean => under === '' || file === under || file.startsWith(`${under}/`);
  const files = all.filter(
    (file) => isUnder(file) && fits(file) && pathProblem(file) === undefined && !isOwn(own, file),
  );
  // A file in conflict stands in the index three times.
  return [...new Set(files)].sort().slice(0, FILES_MAX);
}

async function refuseElsewhere(folder: string, under: string): Promise<void> {
  switch (await lookInside(folder, under)) {
    case 'file':
    case 'folder':
      return;
    case 'missing':
      return stop('ToolError', `there is no ${under}`);
    case 'link':
      return refusePath(under, 'leads through a link');
    case 'other':
      return refusePath(under, 'is not a regular file');
  }
}

/** Undefined where there is no repository, or no git. */
async function filesOfGit(folder: string, git: Git): Promise<string[] | undefined> {
  try {
    const args = ['ls-files', '--cached', '--others', '--exclude-standard', '-z'];
    const { code, out } = await git.run({ args, cwd: folder });
    return code === 0 ? out.toString('utf8').split('\0').filter(Boolean) : undefined;
  } catch (problem) {
    if (problem instanceof GitMissing) return undefined;
    throw problem;
  }
}

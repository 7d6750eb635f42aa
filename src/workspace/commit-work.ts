import type { Deed } from './deed.js';
import { dropStaleLocks, shownPath } from './git.js';
import { at, type Place } from './index-entries.js';

export type Head = { commit: string; tree: string; parent: string | null; handoff: string | null };

export function workspacePlace({ folder }: Deed): Place {
  return { dir: folder.git, tree: folder.workspace };
}

/**
 * Where the job stands, and which of its deeds brought it there. It may stand where another one has landed, whose deeds
 * have the same names.
 */
export async function readHead({ run, git, folder }: Deed): Promise<Head> {
  const trailers = ['Baton-Job', 'Baton-Handoff'].map((key) => `%(trailers:key=${key},valueonly,separator=%x20)`);
  const format = `--format=${['%H', '%T', '%P', ...trailers].join('%n')}`;
  const said = await git.line({ args: ['log', '-1', format, 'HEAD'], cwd: folder.git, dir: folder.git });
  const [commit = '', tree = '', parents = '', job = '', handoff = ''] = said.split('\n');
  const isOwn = job === run && handoff !== '';
  return { commit, tree, parent: parents.split(' ')[0] || null, handoff: isOwn ? handoff : null };
}

export function dropWorkspaceLocks({ folder, refs }: Deed): void {
  dropStaleLocks(folder.git, ['index', 'HEAD', 'config', refs.head]);
}

type Message = { subject: string; handoff: string | null };

/** Makes a commit of a tree; nobody's refs move. */
export async function commitTree(
  deed: Deed,
  tree: string,
  parents: readonly string[],
  message: Message,
  dir = deed.folder.git,
): Promise<string> {
  const { run, options } = deed;
  const journal = await options.headOf?.(run);
  const trailers = [
    `Baton-Job: ${run}`,
    ...(message.handoff === null ? [] : [`Baton-Handoff: ${message.handoff}`]),
    ...(journal ? [`Baton-Head: ${journal}`] : []),
  ];
  return writeCommit(deed, { tree, parents, subject: message.subject, trailers, dir });
}

type Written = {
  tree: string;
  parents: readonly string[];
  subject: string;
  trailers: readonly string[];
  dir: string;
};

/** Of Baton's own, now. */
export function writeCommit(
  { git, options }: Deed,
  { tree, parents, subject, trailers, dir }: Written,
): Promise<string> {
  const dated = `@${Math.floor(options.clock.nowMs() / 1000)} +0000`;
  return git.line({
    args: ['commit-tree', tree, ...parents.flatMap((parent) => ['-p', parent])],
    cwd: dir,
    dir,
    stdin: `${subject}\n\n${trailers.join('\n')}\n`,
    env: { GIT_AUTHOR_DATE: dated, GIT_COMMITTER_DATE: dated },
  });
}

/**
 * What a commit on behalf of a deed comes behind. A deed that is done again replaces what it committed before, so that
 * it is the same commit however often it is done.
 */
export function commitBefore(head: Head, { handoff }: Pick<Message, 'handoff'>): string {
  const again = head.handoff !== null && head.handoff === handoff;
  return again && head.parent !== null ? head.parent : head.commit;
}

/** Commits a tree on behalf of a deed. */
export async function commitFor(deed: Deed, tree: string, message: Message, head?: Head): Promise<string> {
  const { git, folder, refs } = deed;
  const now = head ?? (await readHead(deed));
  if (now.tree === tree) return now.commit;
  const commit = await commitTree(deed, tree, [commitBefore(now, message)], message);
  await git.out({ args: ['update-ref', refs.head, commit, now.commit], cwd: folder.git, dir: folder.git });
  return commit;
}

export type Change = { path: string; added: number; removed: number; gone: boolean };

/** What differs between two commits or trees, by file. Binary files count no lines. */
export async function changesBetween(
  { git, folder }: Deed,
  from: string,
  to: string,
  dir = folder.git,
): Promise<Change[]> {
  if (from === to) return [];
  const args = [
    'diff-tree',
    '-r',
    '-z',
    '--no-renames',
    '--raw',
    '--numstat',
    '--no-ext-diff',
    '--no-textconv',
    from,
    to,
  ];
  const fields = (await git.out({ args, cwd: dir, dir })).toString('latin1').split('\0');
  const gone = new Set<string>();
  const changes: Change[] = [];
  for (let next = 0; next < fields.length; next++) {
    const field = fields[next] ?? '';
    if (field.startsWith(':')) {
      next += 1;
      if (field.endsWith(' D')) gone.add(fields[next] ?? '');
      continue;
    }
    const [added, removed, ...path] = field.split('\t');
    if (path.length === 0) continue;
    const name = path.join('\t');
    changes.push({
      path: shownPath(name),
      added: Number(added) || 0,
      removed: Number(removed) || 0,
      gone: gone.has(name),
    });
  }
  return changes;
}

export async function writeTree(deed: Deed, place: Place): Promise<string> {
  return deed.git.line(at(place, ['write-tree']));
}

import { copyFileSync, statfsSync } from 'node:fs';
import { type BegunMove, forgetMove, readMove, writeMove } from './begun-move.js';
import type { Deed } from './deed.js';
import { IndexLock } from './index-lock.js';
import { readRefs } from './publish.js';
import { takeBack } from './take-back.js';
import { asUser } from './user-settings.js';

export type NotMoved = { type: 'moved' } | { type: 'refused'; reason: string };
export const refused = (reason: string) => ({ type: 'refused', reason }) as const;

const FILES_SHOWN_MAX = 20;
const LOCK_MS_MAX = 5_000;
const LOCK_LOOK_MS = 50;
/** With less than this a disk is full. */
const FULL_BYTES = 256 * 1024;

/**
 * Moves the files of a clean tree to another commit, then the ref, as git's own fast-forward does it, under the lock of
 * the index, under which `mayNot` looks first. It is written down, so that nothing half done stays; `moveRefThen` says
 * why the ref did not move.
 */
export async function followTree(
  deed: Deed,
  move: BegunMove,
  mayNot: () => Promise<NotMoved | null>,
  moveRefThen: () => Promise<NotMoved | null>,
): Promise<NotMoved | null> {
  const lock = await waitForLock(deed, await gitDirOf(deed, move.tree));
  if ('heldBy' in lock) return inUse(move.tree, lock.heldBy);
  try {
    const refusal = await mayNot();
    if (refusal) return refusal;
    writeMove(deed.folder, move);
    const stays = await change(deed, move, lock, moveRefThen).catch(async (failure: unknown) => {
      // When that fails too it stays written down, and whoever goes on takes it back.
      await undo(deed, move, lock).catch(() => undefined);
      throw failure;
    });
    if (stays) await undo(deed, move, lock);
    else forgetMove(deed.folder);
    return stays;
  } finally {
    lock.release();
  }
}

/** Another landing holds it for a moment only. */
async function waitForLock({ options, run }: Deed, gitDir: string): Promise<ReturnType<typeof IndexLock.take>> {
  const untilMs = options.clock.monotonicMs() + LOCK_MS_MAX;
  for (;;) {
    const lock = IndexLock.take(gitDir, run);
    if (!('heldBy' in lock) || options.clock.monotonicMs() >= untilMs) return lock;
    await new Promise<void>((resolve) => void options.clock.after(LOCK_LOOK_MS, resolve));
  }
}

async function change(
  deed: Deed,
  { tree, from, to }: BegunMove,
  lock: IndexLock,
  moveRefThen: () => Promise<NotMoved | null>,
): Promise<NotMoved | null> {
  copyFileSync(lock.index, lock.next);
  const call = { cwd: tree, index: lock.next, ...asUser(deed) };
  // A file that was only touched is no change; git's own merge looks again, too.
  await deed.git.run({ ...call, args: ['update-index', '-q', '--refresh'] });
  const args = ['read-tree', '-m', '-u', '--exclude-per-directory=.gitignore', from, to];
  const { code, said } = await deed.git.run({ ...call, args });
  if (code !== 0) {
    if (/overwritten|not uptodate|would lose/i.test(said))
      return blocked(tree, said.replace(/^error: /gm, '').slice(0, 1_000));
    // Git does not say why it cannot write.
    if (isFull(tree)) throw new Error(`ENOSPC: no space left on device, ${tree}`);
    throw new Error(`git read-tree failed (${code}): ${said.slice(-2_000)}`);
  }
  lock.replace();
  return moveRefThen();
}

function isFull(folder: string): boolean {
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize < FULL_BYTES;
}

async function undo(deed: Deed, move: BegunMove, lock: IndexLock): Promise<void> {
  const changed = await takeBack(deed, move, lock);
  if (changed.length === 0) forgetMove(deed.folder);
}

type Finished = { type: 'landed'; from: string; to: string; ref: string; files: number };

/** Of a landing that was cut off: it had come to its end, or it is taken back, or somebody must look. */
export async function finishMove(deed: Deed, commonDir: string): Promise<Finished | NotMoved | null> {
  const { folder, git, run } = deed;
  const move = readMove(folder);
  if (!move) return null;
  const { ref, from, to, tree, files } = move;
  const now = (await readRefs(git, commonDir, [ref])).get(ref);
  const lock = IndexLock.take(await gitDirOf(deed, tree), run);
  if ('heldBy' in lock) return inUse(tree, lock.heldBy);
  try {
    const changed = now === from ? await takeBack(deed, move, lock) : [];
    if (changed.length > 0) {
      const shown = changed.slice(0, FILES_SHOWN_MAX).join(', ');
      const reason = `A landing was cut off in ${tree}, and somebody has changed ${shown} since.`;
      return refused(`${reason} Keep what you need of it, run \`git checkout ${from} -- FILES\`, then land again.`);
    }
    forgetMove(folder);
    return now === to ? { type: 'landed', from, to, ref, files } : null;
  } finally {
    lock.release();
  }
}

function gitDirOf({ git }: Deed, tree: string): Promise<string> {
  return git.line({ args: ['rev-parse', '--absolute-git-dir'], cwd: tree });
}

function inUse(tree: string, holder: string): NotMoved {
  return refused(
    holder === 'another git'
      ? `${tree} is in use by another git (index.lock). Land again when it is done.`
      : `The landing of ${holder} was cut off in ${tree}. Run \`baton job land ${holder}\` first.`,
  );
}

export function blocked(tree: string, files: string): NotMoved {
  return refused(`Files in ${tree} are in the way: ${files}. Move them, then land again.`);
}

/**
 * Where the work of a ledger stands in the user's repository.
 *
 * L1. `refs/baton/<run>/base` is what all began with; whoever comes first says it, and nobody changes it.
 * L2. `baton/<run>` is the user's to move: work goes on where it is. What it no longer has is kept under
 *     `refs/baton/<run>/kept/`, and when it was deleted it is made again where it was.
 * L3. `refs/baton/<run>/head` is the last commit that was seen on it or put there.
 */
import { existsSync, rmSync, statSync } from 'node:fs';
import path from 'node:path';
import type { Deed } from '../deed.js';
import { readRefs } from '../publish.js';
import { findBase, inRepository, isAncestor, type Problem, type UserRepository } from '../user-repository.js';

export type LedgerTip = {
  base: string;
  /** The newest commit of the ledger. */
  tip: string;
  /** Whether the branch is there. */
  hasBranch: boolean;
};

export async function findTip(ledger: Deed, found: UserRepository): Promise<LedgerTip | Problem> {
  const { git, refs } = ledger;
  const { commonDir } = found;
  await waitForLocks(ledger, commonDir);
  const there = await readRefs(git, commonDir, [refs.base, refs.pin, refs.head]);
  const [branch, pin] = [there.get(refs.head), there.get(refs.pin)];
  const base = there.get(refs.base) ?? (await claimBase(ledger, found, [...there.keys()]));
  if (typeof base !== 'string') return base;
  const tip = branch ?? pin ?? base;
  await pinTip(ledger, commonDir, pin, tip);
  return { base, tip, hasBranch: branch !== undefined };
}

async function claimBase(ledger: Deed, found: UserRepository, foreign: readonly string[]): Promise<string | Problem> {
  const { git, refs } = ledger;
  const { commonDir } = found;
  if (foreign.length > 0) {
    const names = foreign.join(', ');
    return { problem: `The repository already has ${names}, of another run. Delete them, or use another run id.` };
  }
  if ((await git.run(inRepository(commonDir, ['rev-parse', '-q', '--verify', 'refs/heads/baton']))).code === 0) {
    return { problem: `A branch called "baton" stands in the way of ${refs.branch}. Rename it.` };
  }
  const start = await findBase(git, found, null);
  if (typeof start !== 'string') return start;
  if (await moveRefs(ledger, commonDir, [`create ${refs.base} ${start}`])) return start;
  const base = (await readRefs(git, commonDir, [refs.base])).get(refs.base);
  if (base === undefined) throw new Error(`${refs.base} could not be made`);
  return base;
}

/** Nothing that was once seen on the branch gets lost, whoever moves it. */
export async function pinTip(ledger: Deed, commonDir: string, pin: string | undefined, tip: string): Promise<void> {
  if (pin === tip) return;
  const { refs } = ledger;
  const left = pin !== undefined && !(await isAncestor(ledger.git, commonDir, pin, tip));
  if (left) await moveRefs(ledger, commonDir, [`update refs/baton/${nameOf(refs.branch)}/kept/${pin} ${pin}`]);
  // When another one was faster, it has pinned what it saw.
  await moveRefs(ledger, commonDir, [
    pin === undefined ? `create ${refs.pin} ${tip}` : `update ${refs.pin} ${tip} ${pin}`,
  ]);
}

const nameOf = (branch: string): string => branch.slice('baton/'.length);

/** Git waits for so long where another one is about to move the same ref. */
const PATIENCE = { 'core.filesRefLockTimeout': '5000' };

/** All or none; false when one of them is not as it was taken to be. */
export async function moveRefs({ git }: Deed, commonDir: string, moves: readonly string[]): Promise<boolean> {
  const stdin = `${moves.join('\n')}\n`;
  const call = inRepository(commonDir, ['update-ref', '--stdin'], { stdin, settings: PATIENCE });
  const { code, said } = await git.run(call);
  if (code === 0) return true;
  if (/but expected|already exists|unable to resolve|reference (is )?missing/i.test(said)) return false;
  throw new Error(`git update-ref failed (${code}): ${said.slice(-2_000)}`);
}

const LOCK_MS_MAX = 5_000;
const LOCK_LOOK_MS = 100;

/** Others may work on the refs of a ledger, each for a moment; a lock that stays was left by a git that was killed. */
async function waitForLocks({ refs, options: { clock } }: Deed, commonDir: string): Promise<void> {
  for (const ref of [refs.base, refs.pin, refs.head]) {
    const lock = path.join(commonDir, `${ref}.lock`);
    for (;;) {
      // Something else may stand where its folder would be.
      const there = existsSync(lock) && statSync(lock, { throwIfNoEntry: false });
      if (!there) break;
      if (clock.nowMs() - there.mtimeMs > LOCK_MS_MAX) rmSync(lock, { force: true });
      else await new Promise<void>((resolve) => void clock.after(LOCK_LOOK_MS, resolve));
    }
  }
}

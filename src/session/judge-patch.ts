import { realpath } from 'node:fs/promises';
import path from 'node:path';
import { writablePlaces } from '../core/session/writable-places.js';
import { whyOnlyRead } from '../workspace/only-read.js';
import type { PatchDeed, Policy } from './call-plan.js';
import type { NotDone, Weighed } from './judge-exec.js';
import { type PatchPlan, pathsOf } from './patch/patch-plan.js';
import { planPatch } from './patch/plan-patch.js';
import type { SessionHands } from './session-hands.js';
import { shownTitle } from './shown-title.js';

/** Where a patch may reach once a person has allowed it. */
export const EVERYWHERE = '/';
const PROJECT_FILE = 'baton.json';
const NAMED_MAX = 5;

export async function judgePatch(
  hands: SessionHands,
  text: string,
  policy: Policy,
): Promise<Weighed<PatchDeed> | NotDone> {
  const { cwd, sandbox } = policy;
  const patch = await planPatch({ text, cwd, roots: [...sandbox.writableRoots, EVERYWHERE] });
  if ('fault' in patch) return { words: `Nothing was changed: ${patch.fault}.` };
  const isFree = sandbox.mode === 'danger-full-access';
  const reason = isFree ? null : await whyOutside(patch, policy, hands.home);
  return {
    plan: { kind: 'patch', patch },
    shown: { changes: patch.changes },
    title: titleOf(patch),
    // Baton itself writes, and only there.
    facts: { holds: true, isKnownSafe: false, rule: null, reason, wantsOutside: reason !== null },
  };
}

/** Why it goes beyond what the session may change by itself; null when it does not. */
export async function whyOutside(patch: PatchPlan, policy: Policy, home: SessionHands['home']): Promise<string | null> {
  const { mode, paths } = policy.sandbox;
  if (mode === 'read-only') return 'the sandbox is read-only';
  const roots = writablePlaces(policy);
  const own = home === null ? null : await realOf(home);
  for (const file of pathsOf(patch)) {
    const root = roots.find((one) => file === one || isBelow(file, one));
    const shown = shownTitle(file);
    if (root === undefined) return `${shown} is outside of ${paths ? 'the paths' : 'the folder'} of the session`;
    const why = whyOnlyRead(root);
    if (why !== undefined) return `${shown} is in ${shownTitle(root)}, which ${why}`;
    if (own !== null && isBelow(file, own)) return `${shown} is of Baton itself`;
    if (path.basename(file) === PROJECT_FILE) return `${shown} tells Baton what to run`;
  }
  return null;
}

function titleOf({ changes }: PatchPlan): string {
  const names = Object.keys(changes);
  const more = names.length > NAMED_MAX ? ` and ${names.length - NAMED_MAX} more` : '';
  return shownTitle(`${names.slice(0, NAMED_MAX).join(', ')}${more}`);
}

async function realOf(folder: string): Promise<string> {
  return realpath(folder).catch(() => path.resolve(folder));
}

function isBelow(file: string, folder: string): boolean {
  return file.startsWith(folder.endsWith('/') ? folder : `${folder}/`);
}

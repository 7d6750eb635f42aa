import type { DeedFacts } from '../core/session/session-effects.js';
import type { PatchDeed } from './call-plan.js';
import { EVERYWHERE, whyOutside } from './judge-patch.js';
import { applyPlan, endPlan } from './patch/apply-plan.js';
import { endOf, readBody, type SessionHands } from './session-hands.js';

/** All of it or nothing. Safe to do again: what is changed already stays as it is. */
export async function doPatch(hands: SessionHands, { patch }: PatchDeed, { policy, where }: DeedFacts) {
  const { cwd, sandbox } = policy;
  const begunMs = hands.clock.monotonicMs();
  const isOutside = where === 'outside';
  const refusal = isOutside ? null : await whyOutside(patch, policy, hands.home);
  const roots = [...sandbox.writableRoots, ...(isOutside ? [EVERYWHERE] : [])];
  const done = refusal === null ? await applyPlan(patch, { cwd, roots }) : { applied: false as const, reason: refusal };
  const files = Object.keys(patch.changes);
  const activeMs = Math.round(hands.clock.monotonicMs() - begunMs);
  if (!done.applied) {
    const said = { success: false, stdout: '', stderr: done.reason, files: [] };
    return endOf(hands, {
      ...{ said, output: `Nothing was changed: ${done.reason}.`, success: false, isDenied: false, activeMs },
    });
  }
  const stdout = files.map((file) => `${LETTERS[patch.changes[file]?.type ?? 'update']} ${file}`).join('\n');
  const said = { success: true, stdout, stderr: '', files };
  return endOf(hands, { said, output: `Done.\n${stdout}`, success: true, isDenied: false, activeMs });
}

/** Of a patch that was called off, and whose process may have been killed in it: nothing stays half done. */
export async function settlePatch(hands: SessionHands, { plan, policy, where }: DeedFacts) {
  const { patch } = JSON.parse(await readBody(hands, plan)) as PatchDeed;
  const { cwd, sandbox } = policy;
  await endPlan(patch, { cwd, roots: [...sandbox.writableRoots, ...(where === 'outside' ? [EVERYWHERE] : [])] });
  return { result: {} };
}

const LETTERS = { add: 'A', delete: 'D', update: 'M' } as const;

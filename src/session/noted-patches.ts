import { readFile, rm } from 'node:fs/promises';
import { type DeedFacts, DO_DEED } from '../core/session/session-effects.js';
import type { Deeds } from '../engine/ports.js';
import { writeDurably } from '../system/durable-write.js';
import type { PatchDeed } from './call-plan.js';
import { applyPlan } from './patch/apply-plan.js';
import { readBody, type SessionHands } from './session-hands.js';

/** Where nothing else remembers a patch that was begun: it is written down, so that whoever finds it can end it. */
export function notedPatches(deeds: Deeds, hands: Pick<SessionHands, 'body'>, note: string): Deeds {
  return {
    async perform(held, effect, signal) {
      if (effect.deed !== DO_DEED.patch) return deeds.perform(held, effect, signal);
      await writeDurably(note, await readBody(hands, (effect.input as DeedFacts).plan), { mode: 0o600 });
      const done = await deeds.perform(held, effect, signal);
      await rm(note, { force: true });
      return done;
    },
  };
}

/** Ends a patch that somebody was killed in: it is done as a whole or taken back. */
export async function endNotedPatch(note: string, cwd: string): Promise<void> {
  const text = await readFile(note, 'utf8').catch(() => undefined);
  if (text === undefined) return;
  const { patch } = JSON.parse(text) as PatchDeed;
  await applyPlan(patch, { cwd });
  await rm(note, { force: true });
}

import {
  CLEAN_DEED,
  type CleanFacts,
  DELIVER_DEED,
  type DeliverFacts,
  ROUND_DEED,
  type RoundFacts,
} from '../core/bridge/bridge-effects.js';
import type { DeliverResult, FileName } from '../core/bridge/bridge-messages.js';
import { responseDocument } from '../engine/bridge/response-document.js';
import type { Deeds } from '../engine/ports.js';
import { unlessUnusable } from './folder-problem.js';
import { performRound, type RoundSurroundings } from './round-deed.js';

/** What a bridge asks to be done. */
export function createHandlerDeeds(around: RoundSurroundings): Deeds {
  return {
    async perform(held, { deed, key, input }, signal) {
      if (deed === ROUND_DEED) return performRound(around, held, { key, facts: input as RoundFacts }, signal);
      if (deed === DELIVER_DEED) return deliver(around, input as DeliverFacts);
      if (deed === CLEAN_DEED) return clean(around, input as CleanFacts);
      throw new Error(`there is no deed ${deed}`);
    },
  };
}

async function deliver(
  { folder, store }: RoundSurroundings,
  { dir, reply }: DeliverFacts,
): Promise<{ result: DeliverResult }> {
  const text = await responseDocument(store, reply);
  const written = await unlessUnusable(dir, async () => {
    await folder.write(dir, 'response', text);
    await folder.remove(dir, 'request');
  });
  return { result: 'problem' in written ? { problem: written.problem } : {} };
}

/** The state last: while it lies there, an orchestrator that was cut off can be gone on with. */
const ORDER: readonly FileName[] = ['request', 'response', 'state'];

/** After a failure, what the journal has not the whole of stays: nobody could put it back. */
async function clean(
  { folder, ports }: RoundSurroundings,
  { dir, files, failed }: CleanFacts,
): Promise<{ result: object }> {
  const seen = await folder.look(dir);
  for (const name of ORDER) {
    const kept = files[name];
    if (!seen[name] || (failed && name === 'state' && (kept === null || kept.isMasked))) continue;
    const removed = await unlessUnusable(dir, () => folder.remove(dir, name));
    if ('problem' in removed) ports.log('warn', `the checkpoint file ${name} stays`, removed.problem);
    else ports.log('info', `removed checkpoint file ${name}`, { dir });
  }
  await unlessUnusable(dir, () => folder.sweep(dir));
  return { result: {} };
}

import { isObject } from '../contracts/shared/is-object.js';
import { readJson } from '../contracts/shared/read-json.js';
import {
  CLEAN_DEED,
  type CleanFacts,
  DELIVER_DEED,
  type DeliverFacts,
  ROUND_DEED,
  type RoundFacts,
} from '../core/bridge/bridge-effects.js';
import type { Delivery, FileName } from '../core/bridge/bridge-messages.js';
import type { FileSeen } from '../engine/bridge/bridge-folder.js';
import { responseDocument } from '../engine/bridge/response-document.js';
import type { Deeds } from '../engine/ports.js';
import { changeFiles } from './change-files.js';
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

/** An orchestrator that asks something else by now is not answered with what it asked before. */
async function deliver(
  { folder, store }: RoundSurroundings,
  { dir, reply }: DeliverFacts,
): Promise<{ result: Delivery }> {
  const asked = idIn((await folder.look(dir)).request);
  if (asked !== null && asked !== reply.request_id) return { result: { problem: null } };
  const text = await responseDocument(store, reply);
  const put = await changeFiles(async () => {
    await folder.write(dir, 'response', text);
    if (asked !== null) await folder.remove(dir, 'request');
  });
  return { result: { problem: 'reason' in put ? put.reason : null } };
}

function idIn(request: FileSeen | null): string | null {
  const read = request?.bytes ? readJson(request.bytes) : null;
  const id = read && 'value' in read && isObject(read.value) ? read.value.request_id : null;
  return typeof id === 'string' ? id : null;
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
    const removed = await changeFiles(() => folder.remove(dir, name));
    if ('reason' in removed) ports.log('warn', `checkpoint file ${name} stays: ${removed.reason}`, { dir });
    else ports.log('info', `removed checkpoint file ${name}`, { dir });
  }
  await changeFiles(() => folder.sweep(dir));
  return { result: {} };
}

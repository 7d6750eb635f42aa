import { BatonError } from '../../contracts/shared/errors.js';
import type { BridgeService } from '../bridge/bridge-service.js';
import type { InboxRow } from '../ports.js';
import type { Origin } from '../seal.js';
import type { Answer } from './answer.js';

/** The answer itself, or that there will be none. */
export async function answerBridge(
  bridges: Pick<BridgeService, 'answer'>,
  { run, item, key }: Pick<InboxRow, 'run' | 'item' | 'key'>,
  { decision, text, raise, always }: Answer,
  by: Pick<Origin, 'actor' | 'key'>,
): Promise<string> {
  if (always || raise !== undefined) throw new BatonError('USAGE', 'a bridge takes neither --always nor --raise');
  const isDenied = decision === 'deny' && text === undefined;
  if (!isDenied && (decision !== undefined || !text?.trim())) {
    throw new BatonError('USAGE', `a request takes an answer: baton answer ${item} --text "…", or --deny`);
  }
  await bridges.answer(run, key, text === undefined ? 'cancelled' : { text }, by);
  return isDenied ? `${run} is told that nobody answers.` : `${run} goes on with the answer.`;
}

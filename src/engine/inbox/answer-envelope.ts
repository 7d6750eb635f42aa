import { BatonError } from '../../contracts/shared/errors.js';
import type { EnvelopeService } from '../envelope/envelope-service.js';
import type { InboxRow } from '../ports.js';
import type { Origin } from '../seal.js';
import type { Answer } from './answer.js';

type By = Pick<Origin, 'actor' | 'key'>;

/** Words to what was asked, or yes or no to what is to be done. */
export async function answerEnvelope(
  envelopes: EnvelopeService,
  { run, kind, item, key }: InboxRow,
  { decision, text, raise, always }: Answer,
  by: By,
): Promise<string> {
  if (always || raise !== undefined) throw new BatonError('USAGE', 'an envelope takes neither --always nor --raise');
  if (kind === 'clarification') {
    if (!text?.trim() || decision !== undefined) {
      throw new BatonError('USAGE', `a clarification takes words: baton answer ${item} --text "…"`);
    }
    await envelopes.answer(run, key, { text }, by);
    return goesOn(run);
  }
  if (decision === undefined || text !== undefined) {
    throw new BatonError('USAGE', `a confirmation takes yes or no: baton answer ${item} --approve, or --deny`);
  }
  await envelopes.answer(run, key, { yes: decision === 'approve' }, by);
  return decision === 'approve' ? goesOn(run) : `${run} has ended: denied.`;
}

/** Whoever sends it again drives it; a server needs no one for that. */
function goesOn(run: string): string {
  return `${run} goes on with a server, or when it is sent again: baton envelope process.`;
}

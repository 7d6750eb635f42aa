import { BatonError } from '../../contracts/shared/errors.js';
import type { ApprovalDecision } from '../../core/session/session-messages.js';
import type { InboxRow } from '../ports.js';
import type { Origin } from '../seal.js';
import type { SessionService } from '../session/session-service.js';
import type { GivenAnswer } from './answer.js';

const DECISIONS: Readonly<Record<NonNullable<GivenAnswer['decision']>, ApprovalDecision>> = {
  approve: 'approved',
  approve_for_session: 'approved_for_session',
  deny: 'denied',
  abort: 'abort',
};

/** Whether the call that a session asks for may be done. Words go to the model, with a no. */
export async function answerSession(
  sessions: Pick<SessionService, 'answer'>,
  { run, item, key }: Pick<InboxRow, 'run' | 'item' | 'key'>,
  { decision, text, raise }: GivenAnswer,
  by: Pick<Origin, 'actor' | 'key'>,
): Promise<string> {
  if (raise !== undefined)
    throw new BatonError('USAGE', 'a session takes no --raise: set it up again with other limits');
  // Words alone say what to do instead.
  const given = decision ?? (text === undefined ? undefined : 'deny');
  if (given === undefined) {
    throw new BatonError('USAGE', `say --approve, --for-session, --deny or --abort: baton answer ${item} --approve`);
  }
  const guidance = text?.trim() || null;
  if (guidance !== null && given !== 'deny') {
    throw new BatonError('USAGE', 'words go to the model with --deny; what is allowed is done as it stands');
  }
  await sessions.answer(run, key, { decision: DECISIONS[given], guidance }, by);
  return `${run} ${SAID[given]}`;
}

const SAID: typeof DECISIONS extends Readonly<Record<infer Given extends string, unknown>>
  ? Readonly<Record<Given, string>>
  : never = {
  approve: 'does it, this once.',
  approve_for_session: 'does it, and the same again in this session without asking.',
  deny: 'does not do it, and goes on.',
  abort: 'has stopped its task; it takes new input.',
};

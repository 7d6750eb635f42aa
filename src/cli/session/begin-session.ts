import type { SessionPlace } from '../../engine/session/session-place.js';
import type { Parsed } from '../command.js';
import type { Io } from '../io.js';
import { textOption } from '../option-values.js';
import { findSession } from './find-session.js';
import { type PendingTask, pendingTask } from './pending-task.js';
import type { SessionLink } from './session-link.js';
import { configureOp, settingsOf, settingsSaid, standingIn } from './session-options.js';

/** `run`: empty of a new one; `sent`: ids of what was sent for it; `pending`: what is under way in it already. */
type Begun = { run: string; sent: string[]; pending: PendingTask | null };

/** A new session, or the one that is named, set up as the options say. */
export async function beginSession(place: SessionPlace, link: SessionLink, parsed: Parsed, io: Io): Promise<Begun> {
  const resumed = textOption(parsed, 'resume');
  if (resumed === undefined) {
    // Where nobody can be asked, what would need a yes is not done.
    const sent = link.send(configureOp(place, parsed, io, io.ask ? {} : { approval_policy: 'never' }));
    return { run: '', sent: [sent], pending: null };
  }
  const row = await findSession(place.store, resumed, () => standingIn(place, parsed, io));
  const { run } = row;
  const { pending, after } = await pendingTask(place, row);
  const attached = link.send({ type: 'attach', session_id: run, after });
  if (settingsSaid(parsed).length === 0) return { run, sent: [attached], pending };
  const before = await settingsOf(place, run);
  return { run, sent: [attached, link.send(configureOp(place, parsed, io, before))], pending };
}

import type { SessionPlace } from '../../engine/session/session-place.js';
import type { Parsed } from '../command.js';
import type { Io } from '../io.js';
import { textOption } from '../option-values.js';
import { findSession } from './find-session.js';
import type { SessionLink } from './session-link.js';
import { configureOp, hasSettings, settingsOf, standingIn } from './session-options.js';

/** A new session, or the one that is named, set up as the options say. Answers with the ids of what was sent for it. */
export async function beginSession(place: SessionPlace, link: SessionLink, parsed: Parsed, io: Io): Promise<string[]> {
  const resumed = textOption(parsed, 'resume');
  if (resumed === undefined) {
    // Where nobody can be asked, what would need a yes is not done.
    return [link.send(configureOp(place, parsed, io, io.ask ? {} : { approval_policy: 'never' }))];
  }
  const { run, version } = await findSession(place.store, resumed, () => standingIn(place, parsed, io));
  const attached = link.send({ type: 'attach', session_id: run, after: version });
  if (!hasSettings(parsed)) return [attached];
  const before = await settingsOf(place, run);
  return [attached, link.send(configureOp(place, parsed, io, before))];
}

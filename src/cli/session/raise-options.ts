import { raiseOption as optionFor } from '../../core/session/raise-option.js';
import type { RunId } from '../../engine/ports.js';
import type { SessionPlace } from '../../engine/session/session-place.js';

/** The option with which a session that has reached a limit can be gone on with, and a blank before it; else nothing. */
export async function raiseOption(place: Pick<SessionPlace, 'store' | 'orderOf'>, session: RunId): Promise<string> {
  const [{ limits }, row] = await Promise.all([place.orderOf(session), place.store.run(session)]);
  const option = row && optionFor(limits, row);
  return option === undefined ? '' : ` ${option}`;
}

import { BatonError } from '../../contracts/shared/errors.js';
import type { EventStore, RunRow } from '../../engine/ports.js';
import { findRun } from '../find-run.js';

const NEWEST = 'LAST';
const LOOKED_AT = 500;

/** Sessions that began in a folder, the newest first. */
export async function sessionsIn(store: Pick<EventStore, 'runs' | 'events'>, folder: string): Promise<RunRow[]> {
  const { items } = await store.runs({ kind: 'session', limit: LOOKED_AT });
  const found: RunRow[] = [];
  for (const row of items) {
    const [first] = await store.events(row.run, 0, 1);
    const { order } = JSON.parse(first?.data ?? '{}') as { order?: { cwd?: string } };
    if (order?.cwd === folder) found.push(row);
  }
  return found;
}

/** The session of that id, or the only one that begins so; LAST is the newest one of the folder where one stands. */
export async function findSession(
  store: Pick<EventStore, 'run' | 'runs' | 'events'>,
  id: string,
  standingIn: () => string,
): Promise<RunRow> {
  if (id === NEWEST) {
    const folder = standingIn();
    const [newest] = await sessionsIn(store, folder);
    if (newest) return newest;
    throw new BatonError('SESSION_NOT_FOUND', `no session was begun in ${folder}`, { folder });
  }
  const row = await findRun(store, id);
  if (row.kind === 'session') return row;
  throw new BatonError('SESSION_NOT_FOUND', `${row.run} is a ${row.kind} and no session`, { run_id: row.run });
}

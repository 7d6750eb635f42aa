import type { EventStore, RunRow } from '../../engine/ports.js';
import { badQuery } from '../http-problem.js';

const IDS_MAX = 100;
export const IDS_HELP = `only these, up to ${IDS_MAX}, with commas between`;

/** Runs by their names, in that order; those that are not there are left out. */
export async function namedRuns(store: Pick<EventStore, 'run'>, ids: string): Promise<RunRow[]> {
  const names = ids.split(',').filter((id) => id !== '');
  if (names.length > IDS_MAX) throw badQuery('ids', `${names.length} names`);
  const rows = await Promise.all(names.map((id) => store.run(id)));
  return rows.flatMap((row) => row ?? []);
}

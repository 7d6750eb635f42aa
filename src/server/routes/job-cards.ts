import type { Baton } from '../../engine/opened-baton.js';
import type { RunRow } from '../../engine/ports.js';
import { jobCard } from '../../engine/shown/job-card.js';
import { openItems } from '../../engine/shown/open-items.js';
import { type Route, route } from '../route.js';
import { IDS_HELP, namedRuns } from './named-runs.js';

/** How many of each status are shown when none is named. */
const SHOWN: Readonly<Record<string, number>> = {
  ...{ DRAFT: 200, PENDING: 500, RUNNING: 200, REVIEWING: 200, INTERVENTION_REQUIRED: 200 },
  ...{ HALTED_COST: 100, HALTED_TIME: 100, SUCCESS: 30, CANCELED: 10 },
};

/** What lists of jobs show that the row of a run does not have. */
export const jobCardRoutes: readonly Route[] = [
  route({
    ...{ method: 'GET', path: '/api/v1/jobs', verb: 'look', query: { ids: IDS_HELP } },
    summary: 'Jobs as cards: what is open and what ended last, or those that are named.',
    async answer({ baton, query: { ids } }) {
      const rows =
        ids === undefined
          ? await openJobs(baton)
          : (await namedRuns(baton.store, ids)).filter(({ kind }) => kind === 'job');
      const items = await openItems(baton.store);
      const cards = rows.map(async (row) => jobCard(row, await baton.jobs.state(row.run), items.get(row.run) ?? null));
      return { items: await Promise.all(cards), next: null };
    },
  }),
];

async function openJobs({ store }: Baton): Promise<RunRow[]> {
  const found = Object.entries(SHOWN).map(async ([status, limit]) => {
    return (await store.runs({ kind: 'job', status, limit })).items;
  });
  return (await Promise.all(found)).flat();
}

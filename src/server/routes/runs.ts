import { BatonError } from '../../contracts/shared/errors.js';
import { openItems } from '../../engine/shown/open-items.js';
import { runObject } from '../../engine/shown/run-object.js';
import { countIn, textsIn } from '../read-query.js';
import { type Route, route } from '../route.js';
import { IDS_HELP, namedRuns } from './named-runs.js';

const LIMIT = { min: 1, max: 1_000 };
const LIMIT_DEFAULT = 50;

export const runRoutes: readonly Route[] = [
  route({
    ...{ method: 'GET', path: '/api/v1/runs', verb: 'look', summary: 'Runs, the newest first.' },
    query: {
      ...{ kind: 'job, landing, …', status: '', agent: '', project: '', q: 'words', after: 'cursor', limit: '' },
      ids: IDS_HELP,
    },
    async answer({ baton, query }) {
      const waiting = await openItems(baton.store);
      if (query.ids !== undefined) {
        const rows = await namedRuns(baton.store, query.ids);
        return { items: rows.map((row) => runObject(row, waiting.get(row.run) ?? null)), next: null };
      }
      const { q, ...given } = textsIn(query, ['kind', 'status', 'agent', 'project', 'after', 'q']);
      const limit = countIn(query, 'limit', LIMIT) ?? LIMIT_DEFAULT;
      const { items, next } = await baton.store.runs({ ...given, ...(q !== undefined && { search: q }), limit });
      return { items: items.map((row) => runObject(row, waiting.get(row.run) ?? null)), next };
    },
  }),
  route({
    ...{ method: 'GET', path: '/api/v1/runs/:run', verb: 'look', summary: 'One run.' },
    async answer({ baton, params: { run = '' } }) {
      const row = await baton.store.run(run);
      if (!row) throw new BatonError('RUN_NOT_FOUND', `there is no run ${JSON.stringify(run)}`, { run_id: run });
      return runObject(row, (await openItems(baton.store)).get(run) ?? null);
    },
  }),
];

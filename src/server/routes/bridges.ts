import { countIn } from '../read-query.js';
import { type Route, route } from '../route.js';
import { IDS_HELP, namedRuns } from './named-runs.js';

const EVENT = { min: 1, max: Number.MAX_SAFE_INTEGER };

/** Bridges are looked at here. Whoever has the folder starts them: see `baton bridge`. */
export const bridgeRoutes: readonly Route[] = [
  route({
    ...{ method: 'GET', path: '/api/v1/bridges', verb: 'look', query: { ids: IDS_HELP } },
    summary: 'Bridges as cards: who has the baton, phase, agent and rounds of those that are named.',
    async answer({ baton, query: { ids = '' } }) {
      const rows = (await namedRuns(baton.store, ids)).filter(({ kind }) => kind === 'bridge');
      return { items: await Promise.all(rows.map((row) => baton.bridges.card(row))), next: null };
    },
  }),
  route({
    ...{ method: 'GET', path: '/api/v1/bridges/:run', verb: 'look', query: { at: 'event' } },
    summary: 'A bridge with its phases, every round, every request with its answer, and its files.',
    answer: ({ baton, params: { run = '' }, query }) => baton.bridges.board(run, countIn(query, 'at', EVENT)),
  }),
];

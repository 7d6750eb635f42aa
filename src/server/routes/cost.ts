import type { CostKey } from '../../contracts/api/cost-shapes.js';
import { COST_KEYS } from '../../engine/shown/cost-report.js';
import { badQuery } from '../http-problem.js';
import { countIn } from '../read-query.js';
import { type Route, route } from '../route.js';

export const costRoutes: readonly Route[] = [
  route({
    ...{ method: 'GET', path: '/api/v1/cost', verb: 'look', summary: 'What was spent.' },
    query: { by: COST_KEYS.join(' | '), days: 'in the last days' },
    async answer({ baton, query }) {
      const by = query.by ?? 'agent';
      if (!COST_KEYS.includes(by as CostKey)) throw badQuery('by', by);
      const days = countIn(query, 'days', { min: 0, max: 36_500 });
      return { items: await baton.spent(by as CostKey, days), next: null };
    },
  }),
];

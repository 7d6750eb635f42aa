import type { JobLog } from '../../contracts/api/job-shapes.js';
import { BatonError } from '../../contracts/shared/errors.js';
import { askedAttempts } from '../../engine/shown/asked-attempts.js';
import { countIn } from '../read-query.js';
import { type Route, route } from '../route.js';

const OFFSET = { min: 0, max: Number.MAX_SAFE_INTEGER };

/** What the agent of a run printed when it was asked last: for runs of every kind that asks one. */
export const runLogRoutes: readonly Route[] = [
  route({
    ...{ method: 'GET', path: '/api/v1/runs/:run/log', verb: 'look', summary: 'What the agent of a run prints.' },
    query: { after: 'byte' },
    async answer({ baton, query, params: { run = '' } }): Promise<JobLog> {
      const row = await baton.store.run(run);
      if (!row) throw new BatonError('RUN_NOT_FOUND', `there is no run ${JSON.stringify(run)}`, { run_id: run });
      const after = countIn(query, 'after', OFFSET) ?? 0;
      const asked = (await askedAttempts(baton.store, run)).at(-1);
      if (!asked) return { run_id: run, handoff: null, attempt: null, text: '', next: after, ended: row.ended };
      const { text, next } = await baton.readLog({ run, ...asked }, after);
      return { run_id: run, ...asked, text, next, ended: row.ended };
    },
  }),
];

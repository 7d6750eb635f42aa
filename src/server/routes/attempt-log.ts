import { BatonError } from '../../contracts/shared/errors.js';
import { HANDOFF } from '../../core/task/task-state.js';
import { countIn } from '../read-query.js';
import { type Route, route } from '../route.js';

const OFFSET = { min: 0, max: Number.MAX_SAFE_INTEGER };
const TRY = { min: 1, max: 1_000 };

/** What the agent of an attempt at a task of a ledger printed, in pages by byte. */
export const attemptLogRoutes: readonly Route[] = [
  route({
    ...{ method: 'GET', path: '/api/v1/attempts/:run/log', verb: 'look', summary: 'What the agent of a task prints.' },
    query: { try: 'how often it was asked; the last when absent', after: 'byte' },
    async answer({ baton, params: { run = '' }, query }) {
      const row = await baton.store.run(run);
      if (row?.kind !== 'task') throw new BatonError('RUN_NOT_FOUND', `there is no attempt ${run}`, { run_id: run });
      const attempt = countIn(query, 'try', TRY) ?? Math.max(1, row.handoffs);
      const after = countIn(query, 'after', OFFSET) ?? 0;
      const { text, next } = await baton.readLog({ run, handoff: HANDOFF, attempt }, after);
      return { run_id: run, try: attempt, text, next };
    },
  }),
];

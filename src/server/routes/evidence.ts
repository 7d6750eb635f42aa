import { BatonError } from '../../contracts/shared/errors.js';
import { historyIn } from '../../engine/shown/job-history-in.js';
import { Answer, type Route, route } from '../route.js';

/** Never shown as a page, whatever is in it. */
const AS_TEXT = { 'content-type': 'text/plain; charset=utf-8', 'content-disposition': 'attachment' };

export const evidenceRoutes: readonly Route[] = [
  route({
    ...{ method: 'GET', path: '/api/v1/jobs/:id/evidence/*', verb: 'look', summary: 'A file that an answer names.' },
    async answer({ baton, params: { id = '', '*': file = '' } }) {
      await baton.jobs.state(id);
      const { interactions } = await historyIn(baton.store, id);
      const isNamed = interactions.some(({ response }) => response.evidence_files.includes(file));
      // A workspace also holds what nobody meant to show.
      if (!isNamed) {
        const reason = `no answer of ${id} names ${JSON.stringify(file)}`;
        throw new BatonError('ROUTE_NOT_FOUND', reason, { path: file });
      }
      return new Answer(200, await baton.evidence(id, file), AS_TEXT);
    },
  }),
];

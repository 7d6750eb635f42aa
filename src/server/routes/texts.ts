import { BatonError } from '../../contracts/shared/errors.js';
import type { Baton } from '../../engine/opened-baton.js';
import { type Route, route } from '../route.js';

const PAGE = 500;

/** Texts that events only name. */
export const textRoutes: readonly Route[] = [
  route({
    ...{ method: 'GET', path: '/api/v1/runs/:run/bodies/:sha', verb: 'look', summary: 'A text that an event names.' },
    async answer({ baton, params: { run = '', sha = '' } }) {
      if (!/^[0-9a-f]{64}$/.test(sha) || !(await names(baton, run, sha))) {
        throw new BatonError('RUN_NOT_FOUND', `no event of ${JSON.stringify(run)} names ${JSON.stringify(sha)}`);
      }
      return { run_id: run, sha256: sha, text: await baton.body(run, sha) };
    },
  }),
];

async function names({ store }: Baton, run: string, sha: string): Promise<boolean> {
  for (let seq = 0; ; ) {
    const rows = await store.events(run, seq, PAGE);
    if (rows.some(({ data }) => data.includes(sha))) return true;
    if (rows.length < PAGE) return false;
    seq = rows.at(-1)?.seq ?? seq;
  }
}

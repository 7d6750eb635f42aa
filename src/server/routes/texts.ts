import { BatonError } from '../../contracts/shared/errors.js';
import type { Baton } from '../../engine/opened-baton.js';
import { countIn } from '../read-query.js';
import { type Route, route } from '../route.js';

const PAGE = 500;
/** An attempt has fewer events than that. */
const NEAR = 20;
const EVENT = { min: 1, max: Number.MAX_SAFE_INTEGER };

/** Texts that events only name. */
export const textRoutes: readonly Route[] = [
  route({
    ...{ method: 'GET', path: '/api/v1/runs/:run/bodies/:sha', verb: 'look', summary: 'A text that an event names.' },
    query: { event: 'the first of those that may name it, so that not all are looked through' },
    async answer({ baton, params: { run = '', sha = '' }, query }) {
      if (!/^[0-9a-f]{64}$/.test(sha) || !(await names(baton, run, sha, countIn(query, 'event', EVENT)))) {
        throw new BatonError('RUN_NOT_FOUND', `no event of ${JSON.stringify(run)} names ${JSON.stringify(sha)}`);
      }
      return { run_id: run, sha256: sha, text: await baton.body(run, sha) };
    },
  }),
];

async function names({ store }: Baton, run: string, sha: string, event?: number): Promise<boolean> {
  if (event !== undefined) return (await store.events(run, event - 1, NEAR)).some(({ data }) => data.includes(sha));
  for (let seq = 0; ; ) {
    const rows = await store.events(run, seq, PAGE);
    if (rows.some(({ data }) => data.includes(sha))) return true;
    if (rows.length < PAGE) return false;
    seq = rows.at(-1)?.seq ?? seq;
  }
}

import { open } from 'node:fs/promises';
import { BatonError } from '../../contracts/shared/errors.js';
import type { Baton } from '../../engine/opened-baton.js';
import { badQuery } from '../http-problem.js';
import { countIn } from '../read-query.js';
import { type Route, route } from '../route.js';

const PAGE = 500;
const LOG_BYTES_MAX = 256 * 1024;
const ATTEMPTS = { min: 1, max: 1_000_000 };

/** Texts that events only name, and what agents print while they work. */
export const textRoutes: readonly Route[] = [
  route({
    ...{ method: 'GET', path: '/api/v1/runs/:run/bodies/:sha', verb: 'look', summary: 'A text that an event names.' },
    async answer({ baton, params: { run = '', sha = '' } }) {
      if (!/^[0-9a-f]{64}$/.test(sha) || !(await names(baton, run, sha))) {
        throw new BatonError('RUN_NOT_FOUND', `no event of ${JSON.stringify(run)} names ${JSON.stringify(sha)}`);
      }
      return { run_id: run, sha256: sha, text: await baton.body(sha) };
    },
  }),
  route({
    ...{ method: 'GET', path: '/api/v1/jobs/:id/log', verb: 'look', summary: 'What an agent printed; the end of it.' },
    query: { handoff: 'key', attempt: 'from 1' },
    async answer({ baton, params: { id = '' }, query }) {
      await baton.jobs.state(id);
      const { handoff = '' } = query;
      // It becomes part of a path.
      if (!/^[A-Za-z0-9][\w-]{0,99}$/.test(handoff)) throw badQuery('handoff', handoff);
      const attempt = countIn(query, 'attempt', ATTEMPTS) ?? 1;
      return { job_id: id, handoff, attempt, ...(await endOf(baton.logFile({ run: id, handoff, attempt }))) };
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

/** Whoever printed nothing has no file. */
async function endOf(file: string): Promise<{ text: string; bytes: number; cut: boolean }> {
  const handle = await open(file, 'r').catch(() => undefined);
  if (!handle) return { text: '', bytes: 0, cut: false };
  try {
    const { size } = await handle.stat();
    const from = Math.max(0, size - LOG_BYTES_MAX);
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(size - from), 0, size - from, from);
    return { text: buffer.subarray(0, bytesRead).toString('utf8'), bytes: size, cut: from > 0 };
  } finally {
    await handle.close();
  }
}

import type { JobLog } from '../../contracts/api/job-shapes.js';
import { BatonError } from '../../contracts/shared/errors.js';
import type { Baton } from '../../engine/opened-baton.js';
import { type AskedAttempt, askedAttempts } from '../../engine/shown/asked-attempts.js';
import { countIn } from '../read-query.js';
import { type Route, route } from '../route.js';

const OFFSET = { min: 0, max: Number.MAX_SAFE_INTEGER };
const LOOK_AGAIN_MS = 200;

/** What an agent prints while it works: pages by byte, or followed until the attempt is over. */
export const jobLogRoutes: readonly Route[] = [
  route({
    ...{ method: 'GET', path: '/api/v1/jobs/:id/log', verb: 'look', summary: 'What an agent prints while it works.' },
    query: { handoff: 'key or key/attempt; the newest when absent', after: 'byte' },
    async answer({ baton, query, params: { id = '' } }) {
      const attempt = await attemptIn(baton, id, query.handoff);
      const after = countIn(query, 'after', OFFSET) ?? 0;
      return pieceOf(baton, id, attempt, after);
    },
    async stream({ baton, query, params: { id = '' }, signal }, { last }) {
      const attempt = await attemptIn(baton, id, query.handoff);
      const after = countIn({ after: last ?? query.after ?? '0' }, 'after', OFFSET) ?? 0;
      const { ended, text } = await pieceOf(baton, id, attempt, after);
      // Browsers come back until they are told that there is no more.
      return ended && text === '' ? null : follow(baton, id, attempt, { after, signal });
    },
  }),
];

type Attempt = AskedAttempt | null;

/** Only one that was asked: its name becomes the name of a file. Null when nobody was asked yet. */
async function attemptIn({ store, jobs }: Baton, run: string, named: string | undefined): Promise<Attempt> {
  await jobs.state(run);
  const asked = await askedAttempts(store, run);
  if (named === undefined) return asked.at(-1) ?? null;
  const wanted = named.startsWith(`${run}/`) ? named.slice(run.length + 1) : named;
  const found = asked.findLast(({ handoff, attempt }) => wanted === handoff || wanted === `${handoff}/${attempt}`);
  if (found) return found;
  throw new BatonError('RUN_NOT_FOUND', `${run} has no handoff ${JSON.stringify(named)}`, { run_id: run });
}

async function pieceOf({ jobs, readLog }: Baton, run: string, attempt: Attempt, after: number): Promise<JobLog> {
  // Looked at before it is read: what is printed last is read before it is said to have ended.
  const { stage } = await jobs.state(run);
  if (!attempt) return { run_id: run, handoff: null, attempt: null, text: '', next: after, ended: false };
  const { key = '', attempt: number = 0 } = stage.name === 'asking' ? stage.handoff : {};
  const ended = key !== attempt.handoff || number !== attempt.attempt;
  const { text, next } = await readLog({ run, ...attempt }, after);
  return { run_id: run, ...attempt, text, next, ended };
}

async function* follow(
  baton: Baton,
  run: string,
  attempt: Attempt,
  { after, signal }: { after: number; signal: AbortSignal },
): AsyncGenerator<string> {
  for (let offset = after; !signal.aborted; ) {
    const piece = await pieceOf(baton, run, attempt, offset);
    if (piece.text !== '') yield `id: ${piece.next}\ndata: ${JSON.stringify(piece)}\n\n`;
    offset = piece.next;
    if (piece.text !== '') continue;
    if (piece.ended) return;
    await new Promise<void>((resolve) => void baton.clock.after(LOOK_AGAIN_MS, resolve));
  }
}

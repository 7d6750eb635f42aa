import { client } from '../live/client.js';
import { useLoaded } from '../live/use-loaded.js';

/** `to` names the state that is compared, so that what was read once is not read again. */
export type PatchOf = { job: string; to: string | null; at?: number; attempt?: number };

const KEPT_MAX = 20;
const kept = new Map<string, Promise<string>>();

/** What a job, or one attempt of it, has changed. Between two commits there is always the same. */
export function usePatch({ job, to, at, attempt }: PatchOf): { patch: string | null; error: Error | null } {
  const of = `patch ${job} ${to} ${attempt ?? ''}`;
  const { value, error } = useLoaded(of, 0, () =>
    read(of, { job, to, ...(at && { at }), ...(attempt !== undefined && { attempt }) }),
  );
  return { patch: value, error };
}

function read(of: string, { job, to, at, attempt }: PatchOf): Promise<string> {
  if (to === null) return Promise.resolve('');
  const found = kept.get(of);
  if (found) return found;
  const which = attempt === undefined ? { at } : { attempt };
  const reading = client.jobs.diff(job, which as { at?: number }).then(({ patch }) => patch);
  kept.set(of, reading);
  reading.catch(() => kept.delete(of));
  for (const oldest of kept.keys()) {
    if (kept.size <= KEPT_MAX) break;
    kept.delete(oldest);
  }
  return reading;
}

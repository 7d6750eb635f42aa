import type { JobView } from '../../../client/index.js';
import { client } from '../../live/client.js';
import { type Loaded, useLoaded } from '../../live/use-loaded.js';

/** The job as it is, or was behind an event. While another moment is read the last one stays. */
export function useJobView(run: string, at: number | null, version: number): Loaded<JobView> {
  // Moments that are over have numbers of their own, so that they are never taken for a version.
  const which = at === null ? version : -at;
  return useLoaded(`view ${run}`, which, () => client.jobs.view(run, at ?? undefined));
}

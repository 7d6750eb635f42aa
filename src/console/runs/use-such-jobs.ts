import { useEffect, useState } from 'react';
import type { Run } from '../../client/index.js';
import { client } from '../live/client.js';

export type SuchJobs = { count: number; medianUsd: number; mostUsd: number; medianMs: number; mostMs: number };

const LOOKED_AT = 200;
const WAIT_MS = 250;

/** What jobs of the same agent and repository have cost and taken, as far as they have ended. */
export function useSuchJobs(agent: string, repo: string): SuchJobs | null {
  const [found, setFound] = useState<SuchJobs | null>(null);
  useEffect(() => {
    let over = false;
    const timer = setTimeout(() => {
      const like = { ...(agent !== '' && { agent }), ...(repo !== '' && { project: repo }) };
      client.runs({ kind: 'job', status: 'SUCCESS', limit: LOOKED_AT, ...like }).then(
        ({ items }) => !over && setFound(suchJobs(items)),
        () => {},
      );
    }, WAIT_MS);
    return () => {
      over = true;
      clearTimeout(timer);
    };
  }, [agent, repo]);
  return found;
}

/** The middle one, and the one that nine of ten do not exceed. */
export function suchJobs(runs: readonly Pick<Run, 'metrics'>[]): SuchJobs | null {
  if (runs.length === 0) return null;
  const sorted = (of: (run: Pick<Run, 'metrics'>) => number): number[] =>
    runs.map(of).sort((one, other) => one - other);
  const at = (values: readonly number[], share: number): number =>
    values[Math.min(values.length - 1, Math.floor(values.length * share))] ?? 0;
  const [costs, times] = [sorted(({ metrics }) => metrics.cost_usd), sorted(({ metrics }) => metrics.seconds * 1_000)];
  return {
    count: runs.length,
    ...{ medianUsd: at(costs, 0.5), mostUsd: at(costs, 0.9), medianMs: at(times, 0.5), mostMs: at(times, 0.9) },
  };
}

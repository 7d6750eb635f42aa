import { useCallback, useEffect, useState } from 'react';
import type { Run } from '../../client/index.js';
import { client } from '../live/client.js';
import { useChangedRuns } from '../live/use-changed-runs.js';
import { byAttention } from './attention.js';

const RUNS_MAX = 1_000;

/** All runs of a kind, what waits for somebody on top when they are first read. Rows change in place; what is new is added below. */
export function useRunsOf(kind: string): { runs: readonly Run[] | null; error: Error | null; again(): void } {
  const [state, setState] = useState<{ runs: readonly Run[] | null; error: Error | null }>({ runs: null, error: null });
  const read = useCallback(async (): Promise<void> => {
    try {
      const { items } = await client.runs({ kind, limit: RUNS_MAX });
      setState(({ runs }) => ({ runs: placed(runs, items), error: null }));
    } catch (error) {
      setState(({ runs }) => ({ runs, error: error as Error }));
      throw error;
    }
  }, [kind]);
  const again = useCallback(() => void read().catch(() => {}), [read]);
  useEffect(again, [again]);
  useChangedRuns(read);
  return { ...state, again };
}

function placed(before: readonly Run[] | null, now: readonly Run[]): readonly Run[] {
  if (before === null) return now.toSorted(byAttention);
  const byId = new Map(now.map((run) => [run.run_id, run]));
  const kept = before.flatMap(({ run_id }) => byId.get(run_id) ?? []);
  const known = new Set(before.map(({ run_id }) => run_id));
  return [...kept, ...now.filter(({ run_id }) => !known.has(run_id))];
}

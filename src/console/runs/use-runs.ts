import { useEffect, useMemo, useRef, useState } from 'react';
import type { Run } from '../../client/index.js';
import { client } from '../live/client.js';
import { useLive } from '../live/live-context.js';
import { byAttention } from './attention.js';

const PAGE = 1_000;
const RUNS_MAX = 10_000;
/** More than this many changed at once are read anew together. */
const ONE_BY_ONE_MAX = 20;

export type RunList = {
  runs: readonly Run[] | null;
  /** How many would stand elsewhere, or are new. */
  pending: number;
  /** There are more than are shown. */
  more: boolean;
  sort(): void;
};

/** Rows change in place; their order, and new ones, wait until they are asked for. */
export function useRuns(): RunList {
  const { changes } = useLive();
  const known = useRef(new Map<string, Run>());
  const seen = useRef(new Map<string, number>());
  const [order, setOrder] = useState<readonly string[] | null>(null);
  const [more, setMore] = useState(false);
  const [drawn, redraw] = useState(0);
  const sort = (): void => setOrder([...known.current.values()].sort(byAttention).map(({ run_id }) => run_id));
  useEffect(() => {
    let over = false;
    const read = async (): Promise<void> => {
      for (let after: string | undefined; known.current.size < RUNS_MAX; ) {
        const page = await client.runs({ limit: PAGE, ...(after !== undefined && { after }) });
        if (over) return;
        for (const run of page.items) known.current.set(run.run_id, run);
        setOrder([...known.current.values()].sort(byAttention).map(({ run_id }) => run_id));
        if (page.next === null) return;
        after = page.next;
      }
      setMore(true);
    };
    read().catch(() => {});
    return () => {
      over = true;
    };
  }, []);
  useEffect(() => {
    const changed = [...changes].filter(([run, times]) => seen.current.get(run) !== times).map(([run]) => run);
    seen.current = new Map(changes);
    if (changed.length === 0) return;
    const read = changed.length > ONE_BY_ONE_MAX ? pageOf : () => Promise.all(changed.map((run) => client.run(run)));
    read()
      .then((runs) => {
        for (const run of runs) known.current.set(run.run_id, run);
        redraw((before) => before + 1);
      })
      .catch(() => {});
  }, [changes]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: drawn says when rows have changed
  const listed = useMemo(() => {
    const runs = order?.flatMap((id) => known.current.get(id) ?? []) ?? null;
    return { runs, pending: pendingIn(known.current, order) };
  }, [order, drawn]);
  return { ...listed, more, sort };
}

async function pageOf(): Promise<readonly Run[]> {
  return (await client.runs({ limit: PAGE })).items;
}

function pendingIn(known: ReadonlyMap<string, Run>, order: readonly string[] | null): number {
  if (order === null) return 0;
  const wanted = [...known.values()].sort(byAttention).map(({ run_id }) => run_id);
  return wanted.filter((id, index) => order[index] !== id).length;
}

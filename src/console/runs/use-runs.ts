import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import type { Run } from '../../client/index.js';
import { client } from '../live/client.js';
import { useChangedRuns } from '../live/use-changed-runs.js';
import { byAttention } from './attention.js';

/** The first page is small, so that something stands there at once. */
const FIRST_PAGE = 100;
const PAGE = 1_000;
const RUNS_MAX = 10_000;
const NAMED_MAX = 100;

export type RunList = {
  runs: readonly Run[] | null;
  /** How many would stand elsewhere, and how many are not shown yet. */
  pending: number;
  fresh: number;
  /** There are more than are shown. */
  more: boolean;
  error: Error | null;
  again(): void;
  sort(): void;
};

/** Rows change in place; their order, and new ones, wait until they are asked for. */
export function useRuns(): RunList {
  const known = useRef(new Map<string, Run>());
  const [order, setOrder] = useState<readonly string[] | null>(null);
  const [drawn, redraw] = useState(0);
  const sort = useCallback((): void => {
    setOrder([...known.current.values()].sort(byAttention).map(({ run_id }) => run_id));
  }, []);
  const reading = useAll(known.current, () =>
    isAtTop() ? sort() : setOrder((before) => below(before, known.current)),
  );
  useChangedRuns(async (runs) => {
    await readRuns(known.current, runs);
    redraw((before) => before + 1);
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: drawn says when rows have changed
  const listed = useMemo(() => {
    const runs = order?.flatMap((id) => known.current.get(id) ?? []) ?? null;
    return { runs, ...pendingIn(known.current, order) };
  }, [order, drawn]);
  return { ...listed, ...reading, sort };
}

/** Nobody has begun to read. */
function isAtTop(): boolean {
  return (document.getElementById('main')?.scrollTop ?? 0) === 0;
}

function below(order: readonly string[] | null, known: ReadonlyMap<string, Run>): readonly string[] {
  const shown = new Set(order);
  const rest = [...known.values()].filter(({ run_id }) => !shown.has(run_id)).sort(byAttention);
  return [...(order ?? []), ...rest.map(({ run_id }) => run_id)];
}

function useAll(known: Map<string, Run>, place: () => void): Pick<RunList, 'more' | 'error' | 'again'> {
  const [state, setState] = useState<{ more: boolean; error: Error | null }>({ more: false, error: null });
  const [tries, setTries] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: tries says when, not what
  useEffect(() => {
    let over = false;
    const read = async (): Promise<void> => {
      for (let after: string | undefined; ; ) {
        const limit = after === undefined ? FIRST_PAGE : PAGE;
        const page = await client.runs({ limit, ...(after !== undefined && { after }) });
        if (over) return;
        for (const run of page.items) known.set(run.run_id, run);
        const ended = page.next === null || known.size >= RUNS_MAX;
        if (after === undefined || ended) place();
        if (ended) return setState({ more: page.next !== null, error: null });
        after = page.next ?? undefined;
      }
    };
    read().catch((error: Error) => !over && setState((before) => ({ ...before, error })));
    return () => {
      over = true;
    };
  }, [tries]);
  return { ...state, again: () => setTries((before) => before + 1) };
}

/** By their names, some at a time. */
async function readRuns(known: Map<string, Run>, runs: readonly string[]): Promise<void> {
  for (let first = 0; first < runs.length; first += NAMED_MAX) {
    const { items } = await client.runs({ ids: runs.slice(first, first + NAMED_MAX).join(','), limit: NAMED_MAX });
    for (const run of items) known.set(run.run_id, run);
  }
}

function pendingIn(known: ReadonlyMap<string, Run>, order: readonly string[] | null) {
  if (order === null) return { pending: 0, fresh: 0 };
  const shown = new Set(order);
  const wanted = [...known.values()].sort(byAttention).map(({ run_id }) => run_id);
  const rest = wanted.filter((id) => shown.has(id));
  const pending = rest.filter((id, index) => order[index] !== id).length;
  return { pending, fresh: wanted.length - rest.length };
}

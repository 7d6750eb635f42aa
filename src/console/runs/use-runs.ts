import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import type { Run } from '../../client/index.js';
import { client } from '../live/client.js';
import { useLive } from '../live/live-context.js';
import { byAttention } from './attention.js';

/** The first page is small, so that something stands there at once. */
const FIRST_PAGE = 100;
const PAGE = 1_000;
const RUNS_MAX = 10_000;
/** More than this many changed at once are read anew together. */
const ONE_BY_ONE_MAX = 20;

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
  useChanged(known.current, () => redraw((before) => before + 1));
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

function useChanged(known: Map<string, Run>, onRead: () => void): void {
  const { changes } = useLive();
  const seen = useRef(new Map<string, number>());
  const read = useRef(onRead);
  read.current = onRead;
  useEffect(() => {
    const changed = [...changes].filter(([run, times]) => seen.current.get(run) !== times).map(([run]) => run);
    seen.current = new Map(changes);
    if (changed.length === 0) return;
    const load = changed.length > ONE_BY_ONE_MAX ? newest : () => Promise.all(changed.map((run) => client.run(run)));
    load()
      .then((runs) => {
        for (const run of runs) known.set(run.run_id, run);
        read.current();
      })
      .catch(() => {});
  }, [changes, known]);
}

async function newest(): Promise<readonly Run[]> {
  return (await client.runs({ limit: PAGE })).items;
}

function pendingIn(known: ReadonlyMap<string, Run>, order: readonly string[] | null) {
  if (order === null) return { pending: 0, fresh: 0 };
  const shown = new Set(order);
  const wanted = [...known.values()].sort(byAttention).map(({ run_id }) => run_id);
  const rest = wanted.filter((id) => shown.has(id));
  const pending = rest.filter((id, index) => order[index] !== id).length;
  return { pending, fresh: wanted.length - rest.length };
}

import { useCallback, useEffect, useMemo, useState } from 'react';
import type { JobCard } from '../../client/index.js';
import { client } from '../live/client.js';
import { useChangedRuns } from '../live/use-changed-runs.js';
import { COLUMNS, type Column, inOrder } from './columns.js';

type Layout = Readonly<Record<Column, readonly string[]>>;

const NAMED_MAX = 100;

/**
 * Cards change in place. Where they stand changes only while nobody has a hand on the board, or when it is asked for;
 * `pending` says how many would stand elsewhere.
 */
export function useBoard(held: boolean) {
  const { cards, read } = useReadCards();
  const [layout, setLayout] = useState<Layout | null>(null);
  const wanted = useMemo(() => layoutOf([...cards.values()]), [cards]);
  const sort = useCallback(() => setLayout(null), []);
  // biome-ignore lint/correctness/useExhaustiveDependencies: where they stood when the hand came
  useEffect(() => setLayout(held ? wanted : null), [held]);
  const board = useMemo(() => {
    const columns = COLUMNS.map(({ id }) => [id, (layout ?? wanted)[id].flatMap((run) => cards.get(run) ?? [])]);
    return Object.fromEntries(columns) as Record<Column, JobCard[]>;
  }, [layout, wanted, cards]);
  const pending = layout === null ? 0 : differing(layout, wanted);
  return { board, isThere: cards.size > 0 || read.done, error: read.error, pending, sort, again: read.again };
}

function useReadCards() {
  const [cards, setCards] = useState<ReadonlyMap<string, JobCard>>(new Map());
  const [state, setState] = useState<{ done: boolean; error: Error | null }>({ done: false, error: null });
  const read = useCallback(async (runs?: readonly string[]): Promise<void> => {
    try {
      const { items } = await client.jobs.cards(runs);
      const read = items.map((card) => [card.run_id, card] as const);
      setCards((known) => new Map([...(runs === undefined ? [] : known), ...read]));
      setState({ done: true, error: null });
    } catch (error) {
      setState((was) => ({ ...was, error: error as Error }));
      throw error;
    }
  }, []);
  const again = useCallback(() => void read().catch(() => {}), [read]);
  useEffect(again, [again]);
  useChangedRuns((runs) => read(runs.length > NAMED_MAX ? undefined : runs));
  return { cards, read: { ...state, again } };
}

function layoutOf(cards: readonly JobCard[]): Layout {
  const columns = COLUMNS.map(({ id }) => [id, inOrder(id, cards).map(({ run_id }) => run_id)]);
  return Object.fromEntries(columns) as Record<Column, string[]>;
}

function differing(layout: Layout, wanted: Layout): number {
  const places = new Map(COLUMNS.flatMap(({ id }) => layout[id].map((run, index) => [run, `${id} ${index}`] as const)));
  const now = COLUMNS.flatMap(({ id }) => wanted[id].map((run, index) => [run, `${id} ${index}`] as const));
  return now.filter(([run, place]) => places.get(run) !== place).length;
}

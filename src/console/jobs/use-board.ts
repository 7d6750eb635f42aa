import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import type { JobCard } from '../../client/index.js';
import { client } from '../live/client.js';
import { useLive } from '../live/live-context.js';
import { COLUMNS, type Column, inOrder } from './columns.js';

type Layout = Readonly<Record<Column, readonly string[]>>;

const ONE_BY_ONE_MAX = 50;

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
  const { changes } = useLive();
  const [cards, setCards] = useState<ReadonlyMap<string, JobCard>>(new Map());
  const [state, setState] = useState<{ done: boolean; error: Error | null }>({ done: false, error: null });
  const [tries, setTries] = useState(0);
  const seen = useRef<ReadonlyMap<string, number> | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: tries says when, not what
  useEffect(() => {
    const before = seen.current;
    const changed = before ? [...changes].flatMap(([run, times]) => (before.get(run) === times ? [] : run)) : [];
    seen.current = changes;
    if (before && changed.length === 0 && state.error === null) return;
    const whole = !before || changed.length > ONE_BY_ONE_MAX || state.error !== null;
    client.jobs.cards(whole ? undefined : changed).then(
      ({ items }) => {
        setCards((known) => new Map([...(whole ? [] : known), ...items.map((card) => [card.run_id, card] as const)]));
        setState({ done: true, error: null });
      },
      (error: Error) => setState((was) => ({ ...was, error })),
    );
  }, [changes, tries]);
  return { cards, read: { ...state, again: () => setTries((before) => before + 1) } };
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

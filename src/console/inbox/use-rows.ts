import { useEffect, useRef, useState } from 'react';
import type { InboxItem } from '../../client/index.js';
import { client } from '../live/client.js';

/** What became of an item that is over: by whom, and when by the server's clock if it was somebody else. */
export type Outcome = { said: string; atMs: number | null };
/** An answered item stays in its place, folded, until the page is left: nothing moves under the hand. */
export type Row = { item: InboxItem; outcome: Outcome | null };

type Rows = { rows: readonly Row[]; answered(item: number, said: string): void };

/** New ones are added at the end, where the youngest belong; those that are over keep their place. */
export function useRows(items: readonly InboxItem[] | null): Rows {
  const seen = useRef(new Map<number, InboxItem>());
  const [outcomes, setOutcomes] = useState<ReadonlyMap<number, Outcome>>(new Map());
  for (const item of items ?? []) seen.current.set(item.item, item);
  const open = new Set(items?.map(({ item }) => item));
  const gone = [...seen.current.keys()].filter((item) => items !== null && !open.has(item) && !outcomes.has(item));
  const put = (item: number, outcome: Outcome): void =>
    setOutcomes((before) => (before.has(item) ? before : new Map(before).set(item, outcome)));
  const missing = gone.join(' ');
  // biome-ignore lint/correctness/useExhaustiveDependencies: it is read anew when others are gone, and by nothing else
  useEffect(() => {
    for (const item of missing.split(' ').filter(Boolean).map(Number)) {
      client.item(item).then(
        ({ answered }) =>
          answered && put(item, { said: `${answered.by} ${answered.did}`, atMs: Date.parse(answered.at) }),
        () => {},
      );
    }
  }, [missing]);
  const rows = [...seen.current.values()].map((item) => ({
    item,
    outcome: outcomes.get(item.item) ?? (gone.includes(item.item) ? ELSEWHERE : null),
  }));
  return { rows, answered: (item, said) => put(item, { said, atMs: null }) };
}

const ELSEWHERE: Outcome = { said: 'Answered elsewhere', atMs: null };

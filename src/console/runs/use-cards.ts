import { useEffect, useRef, useState } from 'react';
import type { Run } from '../../client/index.js';

const WAIT_MS = 80;
const IDS_MAX = 100;

type Read<Card> = (ids: readonly string[]) => Promise<{ items: readonly Card[] }>;

/** What rows of a kind show besides their run, for those that are drawn; read anew when one has changed. */
export function useCardsOf<Card extends { run_id: string; version: number }>(
  of: string,
  drawn: readonly Run[],
  read: Read<Card>,
): ReadonlyMap<string, Card> {
  const known = useRef(new Map<string, Card>());
  const [cards, setCards] = useState<ReadonlyMap<string, Card>>(known.current);
  const reading = useRef(read);
  reading.current = read;
  const wanted = drawn
    .filter(({ kind, run_id, version }) => kind === of && known.current.get(run_id)?.version !== version)
    .slice(0, IDS_MAX)
    .map(({ run_id }) => run_id)
    .join(',');
  useEffect(() => {
    if (wanted === '') return;
    let over = false;
    const timer = setTimeout(() => {
      reading.current(wanted.split(',')).then(
        ({ items }) => {
          for (const card of items) known.current.set(card.run_id, card);
          if (!over) setCards(new Map(known.current));
        },
        () => {},
      );
    }, WAIT_MS);
    return () => {
      over = true;
      clearTimeout(timer);
    };
  }, [wanted]);
  return cards;
}

import { useEffect, useRef, useState } from 'react';
import type { JobCard, Run } from '../../client/index.js';
import { client } from '../live/client.js';

const WAIT_MS = 80;
const IDS_MAX = 100;

/** What rows of jobs show besides their run, for those that are drawn; read anew when one has changed. */
export function useCards(drawn: readonly Run[]): ReadonlyMap<string, JobCard> {
  const known = useRef(new Map<string, JobCard>());
  const [cards, setCards] = useState<ReadonlyMap<string, JobCard>>(known.current);
  const wanted = drawn
    .filter(({ kind, run_id, version }) => kind === 'job' && known.current.get(run_id)?.version !== version)
    .slice(0, IDS_MAX)
    .map(({ run_id }) => run_id)
    .join(',');
  useEffect(() => {
    if (wanted === '') return;
    let over = false;
    const timer = setTimeout(() => {
      client.jobs.cards(wanted.split(',')).then(
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

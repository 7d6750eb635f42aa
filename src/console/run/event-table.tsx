import { useState } from 'react';
import type { RunEvent } from '../../client/index.js';
import { client } from '../live/client.js';
import { useLoaded } from '../live/use-loaded.js';
import { clockTime, grouped, shortHash } from '../parts/figures.js';
import { Lines, Words } from '../parts/shown-text.js';

const PAGE = 100;

/** The log itself, from an event back; each row opens. Pages of it are read when they are wanted. */
export function EventTable({ run, until }: { run: string; until: number }) {
  const [pages, setPages] = useState(1);
  const first = Math.max(1, until - pages * PAGE + 1);
  const starts = Array.from({ length: pages }, (_, page) => until - page * PAGE).filter((last) => last > 0);
  return (
    <>
      {starts.map((last, page) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a page is its place, counted from the newest
        <EventPage key={page} run={run} last={last} />
      ))}
      {first > 1 && (
        <div className="in">
          <button type="button" className="btn s" onClick={() => setPages(pages + 1)}>
            Show {Math.min(PAGE, first - 1)} older of {grouped(until)}
          </button>
        </div>
      )}
    </>
  );
}

export function useEvents(run: string, last: number, count: number): readonly RunEvent[] | null {
  const from = Math.max(1, last - count + 1);
  const limit = Math.max(1, last - from + 1);
  return useLoaded(`events ${run}`, last, () => client.eventPage({ run, from, limit })).value?.items ?? null;
}

function EventPage({ run, last }: { run: string; last: number }) {
  const [open, setOpen] = useState<number | null>(null);
  const events = useEvents(run, last, PAGE);
  if (events === null) return <div className="in skel" />;
  return (
    <ul className="events">
      {events.toReversed().map((event) => (
        <li key={event.position}>
          <button
            type="button"
            className="event"
            aria-expanded={open === event.seq}
            onClick={() => setOpen(open === event.seq ? null : event.seq)}
          >
            <span className="num t3">{event.seq}</span>
            <Words text={event.type} className="m el" />
            <Words text={event.actor} className="t2 el hide-s" />
            <span className="t3 num">{clockTime(event.at)}</span>
            <span className="m t3 hide-s">{shortHash(event.hash)}</span>
          </button>
          {open === event.seq && <Lines text={JSON.stringify(event.data, null, 2)} className="exact" />}
        </li>
      ))}
    </ul>
  );
}

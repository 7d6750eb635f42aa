import { useState } from 'react';
import type { RunEvent } from '../../client/index.js';
import { clockTime, shortHash } from '../parts/figures.js';
import { Lines, Words } from '../parts/shown-text.js';

const ROWS = 200;

/** The log itself, the newest first; each row opens. */
export function EventTable({ events }: { events: readonly RunEvent[] }) {
  const [shown, setShown] = useState(ROWS);
  const [open, setOpen] = useState<number | null>(null);
  const rows = events.toReversed().slice(0, shown);
  return (
    <>
      <ul className="events">
        {rows.map((event) => (
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
      {events.length > shown && (
        <div className="in">
          <button type="button" className="btn s" onClick={() => setShown(shown + ROWS)}>
            Show {Math.min(ROWS, events.length - shown)} older of {events.length}
          </button>
        </div>
      )}
    </>
  );
}

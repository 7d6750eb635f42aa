import { Card } from '../parts/card.js';
import { clockTime } from '../parts/figures.js';
import { Words } from '../parts/shown-text.js';
import { useEvents } from './event-table.js';

const EVENTS_SHOWN = 8;
/** What scrolls can be reached by keys. */
const TABBED = 0;

/** What happened last, seen from an event. */
export function LastEvents({ run, event }: { run: string; event: number }) {
  const events = useEvents(run, event, EVENTS_SHOWN) ?? [];
  return (
    <Card title="Last events">
      <ul className="plain tight versions" tabIndex={TABBED}>
        {events.toReversed().map(({ position, seq, type, at }) => (
          <li key={position}>
            <Words text={type} className="m el" />
            <span className="num t3">{seq}</span>
            <span className="num t3">{clockTime(at)}</span>
          </li>
        ))}
      </ul>
    </Card>
  );
}

import type { InboxItem } from '../../client/index.js';
import { Link } from '../frame/link.js';
import { Lines, Words } from '../parts/shown-text.js';

/** Why a task of a ledger does not go on: its code, how often it was tried, what was written down last, who waits. */
export function BlockerThing({ item: { run_id, details } }: { item: InboxItem }) {
  const { code, task_id: task, waits_for: waits } = details;
  const tried = Array.isArray(details.attempts) ? details.attempts : [];
  const last = lastLine(details.worklog);
  const held = Array.isArray(waits) ? waits.map(String) : [];
  const about = typeof task === 'string' ? `?${new URLSearchParams({ task })}` : '';
  return (
    <>
      <section className="sec" aria-label="What stands in the way">
        <h3>What stands in the way</h3>
        <div className="row wrap facts-line">
          {typeof code === 'string' && <Words text={code} className="m bad" />}
          <span className="t2">{tried.length === 1 ? '1 attempt' : `${tried.length} attempts`}</span>
          <Words
            text={
              held.length === 0
                ? 'nothing waits for it'
                : `${held.join(', ')} ${held.length === 1 ? 'waits' : 'wait'} for it`
            }
            className="t2"
          />
          <Link to={`/operator/${encodeURIComponent(run_id)}${about}`} className="l">
            Open the ledger
          </Link>
        </div>
      </section>
      {last !== null && (
        <section className="sec" aria-label="Last line of its worklog">
          <h3>Last line of its worklog</h3>
          <Lines text={last} className="quote" />
        </section>
      )}
    </>
  );
}

/** The last line, which is an entry as JSON; what is none is shown as it is. */
function lastLine(worklog: unknown): string | null {
  if (typeof worklog !== 'string' || worklog === '') return null;
  try {
    const { actor, action, result } = JSON.parse(worklog) as Record<string, unknown>;
    return [actor, action, result].filter((part) => typeof part === 'string' && part !== '').join(': ');
  } catch {
    return worklog;
  }
}

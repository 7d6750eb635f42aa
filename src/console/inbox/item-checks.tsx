import { useRunEvents } from '../live/use-run-events.js';
import { CheckList } from '../run/check-list.js';
import { foldJob } from '../run/fold-job.js';

/** What Baton itself has run over the work, beside what the agent says. */
export function ItemChecks({ run }: { run: string }) {
  const events = useRunEvents(run);
  const { checks } = foldJob(events ?? []);
  if (checks.length === 0) return null;
  return (
    <section className="sec" aria-label="Checks run by Baton">
      <h3>Checks run by Baton</h3>
      <div className="card">
        <CheckList run={run} checks={checks} />
      </div>
    </section>
  );
}

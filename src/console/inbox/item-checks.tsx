import { client } from '../live/client.js';
import { useLoaded } from '../live/use-loaded.js';
import { CheckList } from '../run/check-list.js';

/** What Baton itself has run over the work, beside what the agent says. */
export function ItemChecks({ run }: { run: string }) {
  const { value } = useLoaded(`view ${run}`, 0, () => client.jobs.view(run));
  if (!value || value.checks.length === 0) return null;
  return (
    <section className="sec" aria-label="Checks run by Baton">
      <h3>Checks run by Baton</h3>
      <div className="card">
        <CheckList run={run} checks={value.checks} />
      </div>
    </section>
  );
}

import { useState } from 'react';
import type { JobView, RelayRow } from '../../client/index.js';
import { client } from '../live/client.js';
import { useLive } from '../live/live-context.js';
import { useLoaded } from '../live/use-loaded.js';
import { Diff } from '../parts/diff.js';
import { bytes } from '../parts/figures.js';
import { Lines, Words } from '../parts/shown-text.js';
import { usePatch } from '../parts/use-patch.js';
import { useRelay } from './use-relay.js';

export function ChangesTab({ view }: { view: JobView }) {
  const { patch, error } = usePatch({ job: view.job_id, to: view.commit, at: view.event });
  if (view.order.repository === null) return <p className="in t2">It has no repository, so no changes are kept.</p>;
  if (error) {
    return (
      <p className="in bad">
        <Words text={error.message} />
      </p>
    );
  }
  return patch === null ? <div className="in skel" /> : <Diff patch={patch} />;
}

export function ManifestTab({ view }: { view: JobView }) {
  const { job_id: run, event } = view;
  const { value, error } = useLoaded(`manifest ${run}`, event, () => client.jobs.manifest(run, event));
  if (error) return <p className="in bad">{error.message}</p>;
  return <Lines text={value ? JSON.stringify(value, null, 2) : ''} className="exact flat" />;
}

const LOGS = 10;

/** What each agent printed while it worked, the last attempt first. */
export function LogTab({ view }: { view: JobView }) {
  const [shown, setShown] = useState(LOGS);
  const first = Math.max(0, view.attempts - shown);
  const rows = [...useRelay(view, first, view.attempts).values()].toReversed();
  if (view.attempts === 0) return <p className="in t2">Nobody has been asked yet.</p>;
  return (
    <>
      {rows.map((row) => (
        <Log key={row.sequence} run={view.job_id} row={row} />
      ))}
      {first > 0 && (
        <div className="in">
          <button type="button" className="btn s" onClick={() => setShown(shown + LOGS)}>
            Show {Math.min(LOGS, first)} older of {view.attempts}
          </button>
        </div>
      )}
    </>
  );
}

const LOOK_AGAIN_S = 2;

function Log({ run, row }: { run: string; row: RelayRow }) {
  const { handoff, attempt, phase, agent, ended_at } = row;
  const { nowMs } = useLive();
  // What is printed is no event: while it works it is looked at now and then.
  const version = ended_at === null ? Math.floor(nowMs / 1_000 / LOOK_AGAIN_S) : 0;
  const of = `log ${run} ${handoff} ${attempt}`;
  const { value } = useLoaded(of, version, () => client.jobs.log(run, { handoff, attempt }));
  return (
    <section aria-label={`Log of handoff ${row.sequence + 1}`}>
      <div className="file">
        <Words text={`Handoff ${row.sequence + 1}${attempt > 1 ? `, attempt ${attempt}` : ''}`} />
        <span className="t3">
          <Words text={`${phase} · ${agent}`} />
        </span>
        <span className="sp" />
        {value && <span className="t3">{bytes(value.next)}</span>}
      </div>
      <Lines text={value?.text || (value ? 'It printed nothing.' : '')} className="log in pre" />
    </section>
  );
}

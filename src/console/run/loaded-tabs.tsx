import type { Run } from '../../client/index.js';
import { client } from '../live/client.js';
import { useLive } from '../live/live-context.js';
import { useLoaded } from '../live/use-loaded.js';
import { Diff } from '../parts/diff.js';
import { bytes } from '../parts/figures.js';
import { Lines, Words } from '../parts/shown-text.js';
import type { Handoff, JobView } from './fold-job.js';

export function ChangesTab({ run }: { run: Run }) {
  const { value, error } = useLoaded(`diff ${run.run_id}`, run.version, () => client.jobs.diff(run.run_id));
  if (error) return <p className="in bad">{error.message}</p>;
  return value ? <Diff patch={value.patch} /> : <div className="in skel" />;
}

export function ManifestTab({ run }: { run: Run }) {
  const { value, error } = useLoaded(`manifest ${run.run_id}`, run.version, () => client.jobs.manifest(run.run_id));
  if (error) return <p className="in bad">{error.message}</p>;
  return <Lines text={value ? JSON.stringify(value, null, 2) : ''} className="exact flat" />;
}

/** What each agent printed while it worked, attempt by attempt. */
export function LogTab({ run, view }: { run: Run; view: JobView }) {
  if (view.handoffs.length === 0) return <p className="in t2">Nobody has been asked yet.</p>;
  return (
    <>
      {view.handoffs.map((handoff) => (
        <Log key={`${handoff.key} ${handoff.attempt}`} run={run} handoff={handoff} />
      ))}
    </>
  );
}

const LOOK_AGAIN_S = 2;

function Log({ run, handoff }: { run: Run; handoff: Handoff }) {
  const { key, attempt, phase, agent, endedAtMs } = handoff;
  const { nowMs } = useLive();
  // What is printed is no event: while it works it is looked at now and then.
  const version = endedAtMs ?? Math.floor(nowMs / 1_000 / LOOK_AGAIN_S);
  const of = `log ${run.run_id} ${key} ${attempt}`;
  const { value } = useLoaded(of, version, () => client.jobs.log(run.run_id, { handoff: key, attempt }));
  return (
    <section aria-label={`Log of ${key}`}>
      <div className="file">
        <Words text={`${key}, attempt ${attempt}`} />
        <span className="t3">
          <Words text={`${phase} · ${agent}`} />
        </span>
        <span className="sp" />
        {value && <span className="t3">{bytes(value.next)}</span>}
      </div>
      <Lines text={value?.text || 'It printed nothing.'} className="log in pre" />
    </section>
  );
}

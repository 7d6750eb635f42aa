import { useState } from 'react';
import type { JobView } from '../../../client/index.js';
import { goTo } from '../../frame/address.js';
import { Icon } from '../../frame/icon.js';
import { client } from '../../live/client.js';
import { useLive } from '../../live/live-context.js';
import { CommandLine } from '../../parts/command-line.js';
import { pointProblem } from '../acts/acts.js';
import { PastBanner } from './past-banner.js';

/** Says that the page shows the past. Nothing can be done there but come back, or begin anew from there. */
export function ThenBanner({ run, view }: { run: string; view: JobView }) {
  const { who } = useLive();
  const points = view.points.filter(({ commit }) => commit !== null);
  const point = points.at(-1);
  const why = pointProblem(view, points);
  const { forking, problem, fork } = useForking(run, point?.id);
  return (
    <PastBanner view={view} problem={problem}>
      <span aria-hidden="true" className="hide-s">
        ·
      </span>
      {who?.may.includes('job.fork') && (
        <button type="button" className="btn s" disabled={why !== undefined || forking} onClick={() => void fork()}>
          <Icon name="branch" size={14} />
          Fork from here
        </button>
      )}
      <span className="t2">
        {why === undefined ? (
          <>
            A new job begins with the files of <span className="m">{point?.id}</span>, the last recovery point before
            this event.
          </>
        ) : (
          why.replace(' yet', ' before this event')
        )}
      </span>
      <span className="sp" />
      {point && <CommandLine command={`baton job fork ${run} --to ${point.id}`} />}
    </PastBanner>
  );
}

function useForking(run: string, point: string | undefined) {
  const [forking, setForking] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const fork = async (): Promise<void> => {
    if (point === undefined) return;
    setForking(true);
    try {
      const { job_id } = await client.jobs.fork(run, { to: point });
      goTo(`/runs/${encodeURIComponent(job_id)}`);
    } catch (failure) {
      setProblem(failure instanceof Error ? failure.message : String(failure));
    }
    setForking(false);
  };
  return { forking, problem, fork };
}

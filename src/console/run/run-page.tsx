import type { Job, Run } from '../../client/index.js';
import { client } from '../live/client.js';
import { useLive } from '../live/live-context.js';
import { useLoaded } from '../live/use-loaded.js';
import { useRunEvents } from '../live/use-run-events.js';
import { CommandLine } from '../parts/command-line.js';
import { Words } from '../parts/shown-text.js';
import { Ago } from '../parts/time.js';
import { EventTable } from './event-table.js';
import { FactStrip } from './fact-strip.js';
import { foldJob } from './fold-job.js';
import { RunSide } from './run-side.js';
import { RunTabs } from './run-tabs.js';
import { StateSentence } from './state-sentence.js';

export function RunPage({ run: id }: { run: string }) {
  const { changes } = useLive();
  const version = changes.get(id) ?? 0;
  const { value: run, error, again } = useLoaded(`run ${id}`, version, () => client.run(id));
  if (error && !run) {
    return (
      <div className="pad stack">
        <h1>
          <Words text={error.message} />
        </h1>
        <div>
          <button type="button" className="btn" onClick={again}>
            Try again
          </button>
        </div>
      </div>
    );
  }
  if (!run) return <div className="pad" aria-busy="true" />;
  return run.kind === 'job' ? <JobPage run={run} version={version} /> : <OtherPage run={run} />;
}

function JobPage({ run, version }: { run: Run; version: number }) {
  const events = useRunEvents(run.run_id) ?? [];
  const { value: job } = useLoaded(`job ${run.run_id}`, version, () => client.jobs.get(run.run_id));
  if (!job) return <div className="pad" aria-busy="true" />;
  const view = foldJob(events);
  return (
    <div className="pad stack">
      <Title run={run} job={job} agents={view.order?.phases.map(({ agent }) => agent) ?? []} author={view.author} />
      <StateSentence job={job} view={view} />
      <FactStrip job={job} view={view} />
      <div className="two">
        <RunTabs run={run} view={view} events={events} />
        <RunSide run={run} view={view} events={events} />
      </div>
    </div>
  );
}

type TitleProps = { run: Run; job: Job; agents: readonly string[]; author: string | null };

function Title({ run, job, agents, author }: TitleProps) {
  return (
    <header>
      <div className="row wrap">
        <h1>
          <Words text={run.title ?? run.run_id} />
        </h1>
        <Words text={run.run_id} className="m t3" />
      </div>
      <div className="row wrap sm t2 origin">
        <span>{run.kind}</span>
        <Words text={agents.join(' → ')} />
        {job.branch !== null && <Words text={job.branch} className="m" />}
        <span>
          made <Ago at={run.created_at} /> ago{author === null ? '' : ' by '}
          {author !== null && <Words text={author} />}
        </span>
      </div>
    </header>
  );
}

/** Of other kinds there are no pages yet: what is known of every run is shown. */
function OtherPage({ run }: { run: Run }) {
  const events = useRunEvents(run.run_id) ?? [];
  return (
    <div className="pad stack">
      <header>
        <h1>
          <Words text={run.title ?? run.run_id} />
        </h1>
        <p className="sm t2">
          {run.kind}, <Words text={run.status} />
        </p>
      </header>
      <section className="card" aria-label="Events">
        <EventTable events={events} />
      </section>
      <CommandLine command={`baton events --run ${run.run_id}`} />
    </div>
  );
}

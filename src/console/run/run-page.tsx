import { useState } from 'react';
import type { JobView, Run } from '../../client/index.js';
import { BridgePage } from '../bridge/bridge-page.js';
import { EnvelopePage } from '../envelope/envelope-page.js';
import { setQuery } from '../frame/address.js';
import { Icon } from '../frame/icon.js';
import { Link } from '../frame/link.js';
import { client } from '../live/client.js';
import { useLive } from '../live/live-context.js';
import { useLoaded } from '../live/use-loaded.js';
import { AttemptPage } from '../operator/attempt-page.js';
import { LedgerPage } from '../operator/ledger-page.js';
import { CommandLine } from '../parts/command-line.js';
import { Words } from '../parts/shown-text.js';
import { Ago } from '../parts/time.js';
import { SessionPage } from '../session/session-page.js';
import { EventTable } from './event-table.js';
import { FactStrip } from './fact-strip.js';
import { LandingLine } from './landing-line.js';
import { RunSide } from './run-side.js';
import { RunTabs } from './run-tabs.js';
import { RunTitle } from './run-title.js';
import { SaidLine } from './said-line.js';
import { SentenceThen, StateSentence } from './state-sentence.js';
import { Scrubber } from './time/scrubber.js';
import { ThenBanner } from './time/then-banner.js';
import { useMoment } from './time/use-moment.js';

export function RunPage({ run: id }: { run: string }) {
  const { changes } = useLive();
  const version = changes.get(id) ?? 0;
  const { value: run, error, again } = useLoaded(`run ${id}`, version, () => client.run(id));
  if (error && !run) return <Failed error={error} again={again} />;
  if (!run) return <div className="pad" aria-busy="true" />;
  if (run.kind === 'job') return <JobPage key={id} run={run} version={version} />;
  if (run.kind === 'ledger') return <LedgerPage key={id} run={run} />;
  if (run.kind === 'envelope') return <EnvelopePage key={id} run={run} version={version} />;
  if (run.kind === 'bridge') return <BridgePage key={id} run={run} version={version} />;
  if (run.kind === 'session') return <SessionPage key={id} run={run} version={version} />;
  return run.kind === 'task' ? <AttemptPage run={run} /> : <OtherPage run={run} />;
}

function JobPage({ run, version }: { run: Run; version: number }) {
  const { items, changes } = useLive();
  const moved = version + (changes.get(`land-${run.run_id}`) ?? 0);
  const {
    value: view,
    error,
    again,
    at,
  } = useMoment(`view ${run.run_id}`, moved, (event) => client.jobs.view(run.run_id, event));
  const [said, setSaid] = useState('');
  if (!view) return error ? <Failed error={error} again={again} /> : <div className="pad" aria-busy="true" />;
  const live = at === null;
  const item = items?.find((one) => one.item === run.waiting_for);
  return (
    <div className="pad stack">
      <Title run={run} view={view} />
      {!live && <ThenBanner run={run.run_id} view={view} />}
      {live ? <StateSentence {...{ view, item }} onDone={setSaid} /> : <SentenceThen view={view} />}
      {live && <LandingLine landing={view.landing} />}
      <SaidLine said={said} />
      <FactStrip view={view} />
      <Scrubber view={view} at={at} waits={run.waiting_for !== null} onFork={() => setQuery({ do: 'fork' })} />
      <div className="two">
        <RunTabs view={view} live={live} />
        <RunSide view={view} command={live ? commandOf(view, item?.item) : `baton job show ${run.run_id}`} />
      </div>
    </div>
  );
}

/** What a person would type next. */
function commandOf({ job_id: id, status, order, why }: JobView, item: number | undefined): string {
  if (why === 'approval' || why === 'protected') return `baton job approve ${id}`;
  if (item !== undefined) return `baton inbox ${item}`;
  if (status === 'DRAFT') return `baton job activate ${id}`;
  if (status === 'SUCCESS' && order.repository !== null) return `baton job land ${id}`;
  return status === 'CANCELED' || status === 'SUCCESS' ? `baton job show ${id}` : `baton job log ${id} -f`;
}

function Title({ run, view: { order, branch, author } }: { run: Run; view: JobView }) {
  return (
    <RunTitle title={run.title} id={run.run_id}>
      <span>{run.kind}</span>
      <Words text={order.phases.map(({ agent }) => agent).join(' → ') + (order.approval ? ' → steward' : '')} />
      {branch !== null && (
        <span className="row g4">
          <Icon name="branch" size={14} />
          <Words text={branch} className="m" />
        </span>
      )}
      <span>
        made <Ago at={run.created_at} /> ago{author === null ? '' : ' by '}
        {author !== null && <Words text={author} />}
      </span>
      {order.forked_from && (
        <span>
          forked from{' '}
          <Link to={`/runs/${encodeURIComponent(order.forked_from.job)}`} className="l">
            <Words text={order.forked_from.job} className="m" />
          </Link>{' '}
          at <span className="m">{order.forked_from.point}</span>
        </span>
      )}
    </RunTitle>
  );
}

function Failed({ error, again }: { error: Error; again(): void }) {
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

/** Of other kinds there are no pages yet: what is known of every run is shown. */
function OtherPage({ run }: { run: Run }) {
  return (
    <div className="pad stack">
      <header>
        <h1>
          <Words text={run.title} />
        </h1>
        <p className="sm t2">
          {run.kind}, <Words text={run.status} />
        </p>
      </header>
      <section className="card" aria-label="Events">
        <EventTable run={run.run_id} until={run.version} />
      </section>
      <CommandLine command={`baton events --run ${run.run_id}`} />
    </div>
  );
}

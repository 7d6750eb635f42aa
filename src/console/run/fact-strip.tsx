import type { ReactNode } from 'react';
import type { Job } from '../../client/index.js';
import { client } from '../live/client.js';
import { useLoaded } from '../live/use-loaded.js';
import { dollars, span, tokens } from '../parts/figures.js';
import { Meter } from '../parts/meter.js';
import { readPatch } from '../parts/read-patch.js';
import { Glyph } from '../parts/status.js';
import type { JobView } from './fold-job.js';

/** Four to six figures, each with its limit. */
export function FactStrip({ job, view }: { job: Job; view: JobView }) {
  const { cost_usd, cumulative_time_seconds, handoffs, tokens: used } = job.metrics;
  const { costMicroUsd = 0, activeMs = 0, asks = 0, tokens: tokensMax = 0 } = view.limits;
  return (
    <section className="facts" aria-label="Figures">
      <Limited name="Cost" used={cost_usd} limit={costMicroUsd / 1e6} shown={dollars} />
      <Limited name="Active time" used={cumulative_time_seconds * 1_000} limit={activeMs} shown={span} />
      <Limited name="Handoffs" used={handoffs} limit={asks} shown={String} />
      <Limited name="Tokens" used={used} limit={tokensMax} shown={tokens} />
      <Change id={job.job_id} version={view.handoffs.filter(({ endedAtMs }) => endedAtMs !== null).length} />
      <Proof view={view} />
    </section>
  );
}

type LimitedProps = { name: string; used: number; limit: number; shown(value: number): string };

function Limited({ name, used, limit, shown }: LimitedProps) {
  return (
    <Fact name={name}>
      <div className="v">
        {shown(used)} <small>{limit > 0 ? `of ${shown(limit)}` : 'no limit'}</small>
      </div>
      {limit > 0 && <Meter used={used} limit={limit} />}
    </Fact>
  );
}

function Change({ id, version }: { id: string; version: number }) {
  const { value } = useLoaded(`diff ${id}`, version, () => client.jobs.diff(id));
  if (!value) {
    return (
      <Fact name="Change">
        <div className="v">
          <small>reading it</small>
        </div>
      </Fact>
    );
  }
  const files = readPatch(value.patch, 0);
  const sum = (name: 'added' | 'removed') => files.reduce((total, file) => total + file[name], 0);
  return (
    <Fact name="Change">
      <div className="v">
        <span className="ok">+{sum('added')}</span> <span className="bad">−{sum('removed')}</span>{' '}
        <small>{files.length === 1 ? '1 file' : `${files.length} files`}</small>
      </div>
    </Fact>
  );
}

function Proof({ view: { checks } }: { view: JobView }) {
  const passed = checks.filter(({ exitCode }) => exitCode === 0).length;
  const well = passed === checks.length;
  return (
    <Fact name="Proof">
      {checks.length === 0 ? (
        <div className="v">
          <small>no checks yet</small>
        </div>
      ) : (
        <div className={`v row ${well ? 'ok' : 'bad'}`}>
          <Glyph glyph={well ? 'tick' : 'octagon'} tone={well ? 'ok' : 'bad'} />
          {passed} of {checks.length} <small>checks</small>
        </div>
      )}
    </Fact>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <div className="lab">{name}</div>
      {children}
    </div>
  );
}

import type { ReactNode } from 'react';
import type { Check, JobView } from '../../client/index.js';
import { dollars, span, tokens } from '../parts/figures.js';
import { Meter } from '../parts/meter.js';
import { readPatch } from '../parts/read-patch.js';
import { Glyph } from '../parts/status.js';
import { usePatch } from '../parts/use-patch.js';

const seconds = (count: number): string => span(count * 1_000);

/** Six figures, those that have a limit with how much of it is left. */
export function FactStrip({ view }: { view: JobView }) {
  const { spent, limits } = view;
  return (
    <section className="facts" aria-label="Figures">
      <Limited name="Cost" used={spent.cost_usd} limit={limits.cost_usd} shown={dollars} />
      <Limited name="Active time" used={spent.seconds} limit={limits.seconds} shown={seconds} />
      <Limited name="Handoffs" used={spent.handoffs} limit={limits.handoffs} shown={String} />
      <Limited name="Tokens" used={spent.tokens} limit={limits.tokens} shown={tokens} />
      <Change view={view} />
      <Proof checks={view.checks} />
    </section>
  );
}

type LimitedProps = { name: string; used: number; limit: number; shown(value: number): string };

function Limited({ name, used, limit, shown }: LimitedProps) {
  const near = limit > 0 && used >= limit * 0.8;
  return (
    <Fact name={name}>
      <div className={`v ${near ? 'limit' : ''}`}>
        {near && <Glyph glyph="hexagon" tone="limit" />} {shown(used)}{' '}
        <small>{limit > 0 ? `of ${shown(limit)}` : 'no limit'}</small>
      </div>
      {limit > 0 && <Meter used={used} limit={limit} />}
    </Fact>
  );
}

function Change({ view }: { view: JobView }) {
  const { patch } = usePatch({ job: view.job_id, to: view.commit, at: view.event });
  if (view.order.repository === null) {
    return (
      <Fact name="Change">
        <div className="v">
          <small>no repository</small>
        </div>
      </Fact>
    );
  }
  const files = readPatch(patch ?? '', 0);
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

function Proof({ checks }: { checks: readonly Check[] }) {
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

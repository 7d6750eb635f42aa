import type { ReactNode } from 'react';
import type { Run, RunEvent } from '../../client/index.js';
import { CommandLine } from '../parts/command-line.js';
import { clockTime, dollars, shortHash } from '../parts/figures.js';
import { Words } from '../parts/shown-text.js';
import { CheckList } from './check-list.js';
import type { JobView } from './fold-job.js';
import { StateDiagram } from './state-diagram.js';

const LAST_EVENTS = 6;

type Props = { run: Run; view: JobView; events: readonly RunEvent[] };

/** State, proof, cost, places to go back to, last events, command. */
export function RunSide({ run, view, events }: Props) {
  return (
    <div className="stack">
      <Card title="State" note="edges show times passed">
        <StateDiagram status={view.status} moves={view.moves} />
      </Card>
      {view.checks.length > 0 && (
        <Card title="Checks run by Baton">
          <CheckList run={run.run_id} checks={view.checks} />
        </Card>
      )}
      <PhaseCosts view={view} />
      {view.points.length > 0 && (
        <Card title="Recovery points">
          <ul className="plain">
            {view.points.toReversed().map((point) => (
              <li key={point.id}>
                <span className="m">{point.id}</span>
                <Words text={point.description} className="el" />
                <span className="m t3">{point.commit?.slice(0, 7)}</span>
                <span className="t3 num">{clockTime(point.at)}</span>
              </li>
            ))}
          </ul>
        </Card>
      )}
      <Card title="Last events">
        <ul className="plain">
          {events
            .slice(-LAST_EVENTS)
            .toReversed()
            .map((event) => (
              <li key={event.seq}>
                <span className="num t3">{event.seq}</span>
                <Words text={event.type} className="m el" />
                <span className="m t3">{shortHash(event.hash)}</span>
              </li>
            ))}
        </ul>
      </Card>
      <div className="card in">
        <CommandLine command={`baton job show ${run.run_id}`} />
      </div>
    </div>
  );
}

function PhaseCosts({ view }: { view: JobView }) {
  const names = [...new Set(view.handoffs.map(({ phase }) => phase))];
  const phases = names.map((name) => [name, view.handoffs.filter(({ phase }) => phase === name)] as const);
  const sum = (rows: JobView['handoffs']) => rows.reduce((total, { costMicroUsd }) => total + costMicroUsd, 0);
  const all = sum(view.handoffs);
  if (all === 0) return null;
  return (
    <Card title="Cost by phase" note={dollars(all / 1e6)}>
      <div className="in stack">
        {phases.map(([phase, rows]) => (
          <div key={phase}>
            <div className="row sm">
              <Words text={phase} />
              <span className="t3">{rows.length === 1 ? '1 handoff' : `${rows.length} handoffs`}</span>
              <span className="sp" />
              <span className="num">{dollars(sum(rows) / 1e6)}</span>
            </div>
            <div className="meter" role="img" aria-label={`${Math.round((sum(rows) / all) * 100)} % of the cost`}>
              <i style={{ width: `${(sum(rows) / all) * 100}%`, background: 'var(--d3)' }} />
            </div>
          </div>
        ))}
      </div>
    </Card>
  );
}

function Card({ title, note, children }: { title: string; note?: string; children: ReactNode }) {
  return (
    <section className="card" aria-label={title}>
      <header>
        <h2>{title}</h2>
        <span className="sp" />
        {note !== undefined && <span className="sm t3">{note}</span>}
      </header>
      {children}
    </section>
  );
}

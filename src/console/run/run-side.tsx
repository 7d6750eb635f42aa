import type { ReactNode } from 'react';
import type { JobView } from '../../client/index.js';
import { CommandLine } from '../parts/command-line.js';
import { clockTime, dollars, shortHash } from '../parts/figures.js';
import { Words } from '../parts/shown-text.js';
import { CheckList } from './check-list.js';
import { useEvents } from './event-table.js';
import { StateDiagram } from './state-diagram.js';

const LAST_EVENTS = 6;

/** State, proof, cost, places to go back to, last events, command. */
export function RunSide({ view, command }: { view: JobView; command: string }) {
  return (
    <div className="stack">
      <Card title="State" note="edges show times passed">
        <StateDiagram status={view.status} moves={view.moves} />
      </Card>
      {view.checks.length > 0 && (
        <Card title="Checks run by Baton">
          <CheckList run={view.job_id} checks={view.checks} />
        </Card>
      )}
      <PhaseCosts view={view} />
      <Points view={view} />
      <LastEvents view={view} />
      <div className="card in cli-card">
        <CommandLine command={command} />
      </div>
    </div>
  );
}

function Points({ view: { points, points_taken: taken } }: { view: JobView }) {
  if (taken === 0) return null;
  const older = taken - points.length;
  return (
    <Card title="Recovery points" {...(older > 0 && { note: `${older} older` })}>
      <ul className="plain points">
        {points.toReversed().map((point) => (
          <li key={point.id}>
            <span className="m">{point.id}</span>
            <Words text={point.description} className="el t2" />
            <span className="m t3">{point.commit?.slice(0, 7)}</span>
            <span className="t3 num">{clockTime(point.at)}</span>
          </li>
        ))}
      </ul>
    </Card>
  );
}

function LastEvents({ view: { job_id: run, event } }: { view: JobView }) {
  const events = useEvents(run, event, LAST_EVENTS) ?? [];
  return (
    <Card title="Last events">
      <ul className="plain tight">
        {events.toReversed().map((one) => (
          <li key={one.seq}>
            <span className="num t3">{one.seq}</span>
            <Words text={one.type} className="m el" />
            <span className="m t3">{shortHash(one.hash)}</span>
          </li>
        ))}
      </ul>
    </Card>
  );
}

function PhaseCosts({ view: { costs } }: { view: JobView }) {
  const all = costs.reduce((sum, { cost_usd }) => sum + cost_usd, 0);
  const lost = costs.reduce((sum, { lost_usd }) => sum + lost_usd, 0);
  if (all === 0) return null;
  return (
    <Card title="Cost by phase" note={dollars(all)}>
      <div className="in stack costs">
        {costs.map(({ phase, attempts, cost_usd }) => (
          <div key={phase}>
            <div className="row sm">
              <Words text={phase} />
              <span className="t3">{attempts === 1 ? '1 handoff' : `${attempts} handoffs`}</span>
              <span className="sp" />
              <span className="num">{dollars(cost_usd)}</span>
            </div>
            <div className="meter" role="img" aria-label={`${Math.round((cost_usd / all) * 100)} % of the cost`}>
              <i style={{ width: `${(cost_usd / all) * 100}%`, background: 'var(--d3)' }} />
            </div>
          </div>
        ))}
        {lost > 0 && <p className="sm t2">Includes {dollars(lost)} spent by attempts that failed or were lost.</p>}
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

import type { JobCard, Run } from '../../client/index.js';
import { Link } from '../frame/link.js';
import { client } from '../live/client.js';
import { Changed } from '../parts/changed.js';
import { dollars, span } from '../parts/figures.js';
import { Meter } from '../parts/meter.js';
import { Words } from '../parts/shown-text.js';
import { lookOf } from '../parts/status.js';
import { Ago } from '../parts/time.js';
import { type CardRowProps, CardTable } from './card-table.js';
import { type Column, RunState, You } from './row-parts.js';

const COLUMNS: readonly Column[] = [
  { name: 'State', className: 'c-state' },
  { name: 'Run', className: '' },
  { name: 'Kind', className: 'c-kind hide-s' },
  { name: 'Agent', className: 'c-agent hide-s' },
  { name: 'Now', className: 'c-now hide-s' },
  { name: 'Cost', className: 'c-cost r' },
  { name: 'of limit', className: 'c-meter hide-s' },
  { name: 'Active', className: 'c-num r hide-s' },
  { name: 'Changed', className: 'c-num r hide-s' },
];

/** Runs of whatever kind; only jobs have cards. */
export function RunTable({ runs, base = '/runs' }: { runs: readonly Run[]; base?: string }) {
  const { cards: load } = client.jobs;
  return <CardTable kind="job" base={base} columns={COLUMNS} runs={runs} load={load} Row={Row} />;
}

function Row({ base, run, card, item, index, isSelected }: CardRowProps<JobCard>) {
  const { cost_usd: limit = 0 } = card?.limits ?? {};
  const { cost_usd: cost, seconds } = run.metrics;
  // What an earlier state said is not said of the present one.
  const now = card?.version === run.version ? card.now : (run.waits_for ?? '');
  return (
    <tr className={isSelected ? 'sel' : ''} aria-rowindex={index + 2}>
      <td>
        <Changed value={run.status}>
          <RunState run={run} item={item} />
        </Changed>
      </td>
      <td>
        <div className="run-name">
          <Link to={`${base}/${encodeURIComponent(run.run_id)}`} className="el">
            <Words text={run.title} className="b" />
          </Link>
          <Words text={run.run_id} className="m t3 el hide-s" />
        </div>
        <span className="only-s sm second">
          {item ? <You item={item} /> : <Words text={smallWords(run, now)} className="t2" />}
        </span>
      </td>
      <td className="t2 hide-s">
        <Words text={run.kind} />
      </td>
      <td className="t2 el hide-s">
        <Words text={run.agent ?? ''} />
      </td>
      <td className="el hide-s">
        {item ? (
          <Link to={`/inbox/${item.item}`}>
            <You item={item} />
          </Link>
        ) : (
          <Words text={now} className="t2" />
        )}
      </td>
      <td className="num">
        <Changed value={cost}>{dollars(cost)}</Changed>
        <span className="only-s t3 sm second">
          <Ago at={run.updated_at} />
        </span>
      </td>
      <td className="hide-s">{limit > 0 && <Meter used={cost} limit={limit} />}</td>
      <td className="num t2 hide-s">{seconds >= 1 ? span(seconds * 1_000) : ''}</td>
      <td className="num t3 hide-s">
        <Ago at={run.updated_at} />
      </td>
    </tr>
  );
}

function smallWords(run: Run, now: string): string {
  const { word } = lookOf(run.status);
  return now === '' ? word : `${word}, ${now}`;
}

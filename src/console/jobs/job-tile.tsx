import type { JobCard } from '../../client/index.js';
import { Link } from '../frame/link.js';
import { Changed } from '../parts/changed.js';
import { dollars } from '../parts/figures.js';
import { Meter } from '../parts/meter.js';
import { Words } from '../parts/shown-text.js';
import { Glyph, lookOf } from '../parts/status.js';
import { Ago } from '../parts/time.js';
import { columnOf } from './columns.js';

/** One job on the board: what it is, where it stands among its phases, what it costs, and for how long it is so. */
export function JobTile({ card }: { card: JobCard }) {
  const { run_id, title, agent, now, metrics, limits } = card;
  const { cost_usd: limit = 0 } = limits;
  const { glyph, tone, word } = lookOf(card.status, card.waiting_for !== null);
  const to = card.waiting_for === null ? `/runs/${encodeURIComponent(run_id)}` : `/inbox/${card.waiting_for}`;
  return (
    <>
      <Link to={to} className="tile-name">
        <Words text={title} className="b" />
      </Link>
      <div className="row sm">
        <Phases card={card} />
        <Words text={now} className={`el ${columnOf(card) === 'you' ? 'you' : 't2'}`} />
      </div>
      {limit > 0 && (
        <div className="row sm t2 tile-cost">
          <Meter used={metrics.cost_usd} limit={limit} />
          <span className="num nw">
            <Changed value={metrics.cost_usd}>{dollars(metrics.cost_usd)}</Changed> of {dollars(limit)}
          </span>
        </div>
      )}
      <div className="row sm t3">
        <Glyph glyph={glyph} tone={tone} size={12} />
        <span className="vh">{word}</span>
        <Words text={agent ?? ''} className="el" />
        <span className="sp" />
        {limit === 0 && <span className="num nw">{dollars(metrics.cost_usd)}</span>}
        <span className="num nw">
          <Ago at={card.updated_at} />
        </span>
      </div>
    </>
  );
}

/** A dot for each phase: those behind it filled, the present one with a ring. */
function Phases({ card: { phases, phase, status } }: { card: JobCard }) {
  const passed = status === 'SUCCESS' ? phases.length : Math.max(0, phase);
  const label =
    status === 'SUCCESS'
      ? `all ${phases.length} phases`
      : `phase ${passed + 1} of ${phases.length}: ${phases[phase]?.name}`;
  return (
    <span className="dots" role="img" aria-label={label} title={label}>
      {phases.map(({ name }, index) => (
        <i key={name} className={index < passed ? 'done' : index === passed ? 'now' : ''} />
      ))}
    </span>
  );
}

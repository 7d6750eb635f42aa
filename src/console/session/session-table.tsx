import type { InboxItem, Run, SessionCard } from '../../client/index.js';
import { Link } from '../frame/link.js';
import { client } from '../live/client.js';
import { Changed } from '../parts/changed.js';
import { dollars, grouped, tokens } from '../parts/figures.js';
import { Words } from '../parts/shown-text.js';
import { StatusMark } from '../parts/status.js';
import { Ago } from '../parts/time.js';
import { type CardRowProps, CardTable, type Column } from '../runs/card-table.js';

const COLUMNS: readonly Column[] = [
  { name: 'State', className: 'c-state' },
  { name: 'Session', className: '' },
  { name: 'Folder', className: 'c-folder hide-s' },
  { name: 'Model', className: 'c-asked hide-s' },
  { name: 'Turns', className: 'c-num r hide-s' },
  { name: 'Tokens', className: 'c-num r hide-s' },
  { name: 'Cost', className: 'c-num r hide-s' },
  { name: 'Changed', className: 'c-num r' },
];
const BASE = '/sessions';

export function SessionTable({ runs }: { runs: readonly Run[] }) {
  const { cards: load } = client.sessions;
  return <CardTable kind="session" base={BASE} columns={COLUMNS} runs={runs} load={load} Row={Row} />;
}

function Row({ run, card, item, index, isSelected }: CardRowProps<SessionCard>) {
  return (
    <tr className={isSelected ? 'sel' : ''} aria-rowindex={index + 2}>
      <td>
        <Changed value={run.status}>
          <StatusMark status={run.status} waits={run.waiting_for !== null} />
        </Changed>
      </td>
      <td>
        <div className="run-name">
          <Link to={`${BASE}/${encodeURIComponent(run.run_id)}`} className="el">
            <Words text={run.title ?? run.run_id} className="b" />
          </Link>
          {item ? (
            <span className="el hide-s asks-what">
              <Asked item={item} />
            </span>
          ) : (
            <Words text={run.run_id} className="m t3 el hide-s" />
          )}
        </div>
        <span className="only-s sm second">
          {item ? <Asked item={item} /> : <Words text={card?.cwd ?? ''} className="m t2" />}
        </span>
      </td>
      <td className="el hide-s">{card && <Words text={card.cwd} className="m t2" />}</td>
      <td className="el t2 hide-s">{card && <Words text={card.model} />}</td>
      <td className="num hide-s">
        {card && <Changed value={card.metrics.turns}>{grouped(card.metrics.turns)}</Changed>}
      </td>
      <td className="num hide-s">{tokens(run.metrics.tokens)}</td>
      <td className="num hide-s">{dollars(run.metrics.cost_usd)}</td>
      <td className="num t3">
        <Ago at={run.updated_at} />
      </td>
    </tr>
  );
}

/** Names in it are the model's. */
function Asked({ item }: { item: InboxItem }) {
  return (
    <span className="you">
      You: <Words text={item.question} />
    </span>
  );
}

import type { Budget, JobCard } from '../../client/index.js';
import { Link } from '../frame/link.js';
import { client } from '../live/client.js';
import { useLive } from '../live/live-context.js';
import { useLoaded } from '../live/use-loaded.js';
import { dollars, tokens } from '../parts/figures.js';
import { Meter } from '../parts/meter.js';
import { Words } from '../parts/shown-text.js';
import { Glyph, lookOf } from '../parts/status.js';

type Near = {
  key: string;
  name: string;
  limit: string;
  used: number;
  of: number;
  look: ReturnType<typeof lookOf>;
  to: string | null;
};

const ROWS_MAX = 6;

/** What is stopped by a limit, or will be next. */
export function NearLimits() {
  const { position, budgets } = useLive();
  const { value } = useLoaded('near-limits', Math.floor(position / 20), () => client.jobs.cards());
  const rows = [...(value?.items ?? []).flatMap(nearest), ...budgets.flatMap(ofBudget)]
    .sort((one, other) => other.used / other.of - one.used / one.of)
    .slice(0, ROWS_MAX);
  return (
    <section className="card" aria-label="Nearest to a limit">
      <header>
        <h2>Nearest to a limit</h2>
        <span className="sp" />
        <span className="t3 sm">hit or closest</span>
      </header>
      {value && rows.length === 0 && <p className="in t2">No open job has a limit.</p>}
      {rows.length > 0 && (
        <table className="near">
          <thead>
            <tr>
              <th scope="col">Run</th>
              <th scope="col" className="hide-s">
                Limit
              </th>
              <th scope="col" className="r">
                Used
              </th>
              <th scope="col" className="c-bar">
                <span className="vh">Share of the limit</span>
              </th>
              <th scope="col">
                <span className="vh">Act</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <Row key={row.key} row={row} />
            ))}
          </tbody>
        </table>
      )}
    </section>
  );
}

function Row({ row: { name, limit, used, of, look, to } }: { row: Near }) {
  const halted = look.tone === 'limit';
  return (
    <tr>
      <td>
        <span className="row">
          <Glyph glyph={look.glyph} tone={look.tone} />
          <span className="vh">{look.word}</span>
          <Words text={name} className="m el" />
        </span>
      </td>
      <td className="t2 hide-s nw">{limit}</td>
      <td className="num">{Math.round((100 * used) / of)} %</td>
      <td>
        <Meter used={used} limit={of} />
      </td>
      <td className="r">
        {to !== null && (
          <Link to={to} className="btn s" label={`${halted ? 'Raise the limit of' : 'Open'} ${name}`}>
            {halted ? 'Raise…' : 'Open'}
          </Link>
        )}
      </td>
    </tr>
  );
}

/** Of a job's limits the one that is used most. */
function nearest(card: JobCard): Near[] {
  if (card.ended) return [];
  const { cost_usd = 0, time_minutes = 0, tokens: most = 0 } = card.limits;
  const { metrics } = card;
  const limits = [
    { limit: `cost ${dollars(cost_usd)}`, used: metrics.cost_usd, of: cost_usd },
    { limit: `time ${Math.round(time_minutes)} m`, used: metrics.seconds / 60, of: time_minutes },
    { limit: `${tokens(most)} tokens`, used: metrics.tokens, of: most },
  ].filter(({ of }) => of > 0);
  const [first] = limits.sort((one, other) => other.used / other.of - one.used / one.of);
  if (!first || first.used === 0) return [];
  const look = lookOf(card.status, card.waiting_for !== null);
  const to = card.waiting_for === null ? `/runs/${encodeURIComponent(card.run_id)}` : `/inbox/${card.waiting_for}`;
  return [{ key: card.run_id, name: card.run_id, ...first, look, to }];
}

/** Of money, of tokens, or both. */
function ofBudget({ project, limit_usd, spent_usd, limit_tokens, spent_tokens }: Budget): Near[] {
  const name = project ?? 'everything';
  const near = (limit: string, used: number, of: number): Near => {
    const look = lookOf(used >= of ? 'HALTED_COST' : 'PENDING');
    return { key: `budget ${name} ${limit}`, name, limit, used, of, look, to: null };
  };
  return [
    ...(limit_usd === null ? [] : [near(`${dollars(limit_usd)} a day`, spent_usd, limit_usd)]),
    ...(limit_tokens === null ? [] : [near(`${tokens(limit_tokens)} tokens a day`, spent_tokens, limit_tokens)]),
  ];
}

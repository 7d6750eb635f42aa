import type { ReactNode } from 'react';
import type { CostKey, CostRow } from '../../client/index.js';
import { setQuery, useAddress } from '../frame/address.js';
import { client } from '../live/client.js';
import { useLive } from '../live/live-context.js';
import { useLoaded } from '../live/use-loaded.js';
import { CommandLine } from '../parts/command-line.js';
import { dollars, grouped, tokens } from '../parts/figures.js';
import { Meter } from '../parts/meter.js';
import { Words } from '../parts/shown-text.js';
import { DayChart } from './day-chart.js';
import { type Forecast, forecast, lastDays, quantile } from './forecast.js';
import { NearLimits } from './near-limits.js';

const DAYS = 30;
const KEYS: readonly { by: CostKey; name: string }[] = [
  { by: 'agent', name: 'Agent' },
  { by: 'model', name: 'Model' },
  { by: 'kind', name: 'Kind' },
  { by: 'project', name: 'Project' },
];
const ROWS_MAX = 6;

/** Read again when something was spent, not at every event. */
function useSpentVersion(): number {
  const { system } = useLive();
  return Math.round((system?.today.cost_usd ?? 0) * 10_000);
}

export function CostsPage() {
  const { nowMs } = useLive();
  const version = useSpentVersion();
  const {
    value: byDay,
    error,
    again,
  } = useLoaded('cost-day', version, () => client.cost({ by: 'day', days: 2 * DAYS }));
  const { value: byRun } = useLoaded('cost-run', version, () => client.cost({ by: 'run', days: DAYS }));
  const all = lastDays(byDay?.items ?? [], nowMs, 2 * DAYS);
  const days = all.slice(-DAYS);
  const expected = forecast(all, nowMs);
  return (
    <div className="pad stack">
      <h1 className="vh">Costs</h1>
      {error && (
        <p className="banner refused" role="alert">
          Costs could not be read: {error.message}.
          <button type="button" className="btn s" onClick={again}>
            Try again
          </button>
        </p>
      )}
      <Figures days={days} before={all.slice(0, DAYS)} runs={byRun?.items ?? []} expected={expected} />
      <section className="card" aria-label="Per day">
        <header>
          <h2>Per day</h2>
          <span className="t3 sm">{DAYS} days, UTC</span>
        </header>
        <DayChart days={days} expected={expected} />
      </section>
      <div className="halves-wide">
        <ByKey version={version} />
        <NearLimits />
      </div>
      <CommandLine command={`baton cost --by agent --since ${DAYS}d`} />
    </div>
  );
}

type FiguresProps = {
  days: readonly CostRow[];
  before: readonly CostRow[];
  runs: readonly CostRow[];
  expected: Forecast | null;
};

function Figures({ days, before, runs, expected }: FiguresProps) {
  const total = sum(days, 'cost_usd');
  const wasted = sum(days, 'wasted_usd');
  const costs = runs.map(({ cost_usd }) => cost_usd);
  return (
    <dl className="facts figures">
      <Today spent={days.at(-1)?.cost_usd ?? 0} />
      <Figure name="Forecast for today" value={expected ? dollars(expected.usd) : 'Not yet'}>
        {expected
          ? `${dollars(expected.low)} to ${dollars(expected.high)}, from the last ${expected.days} ${expected.kind}`
          : 'too few days like this one are known'}
      </Figure>
      <Figure name={`Last ${DAYS} days`} value={dollars(total)}>
        {against(total, sum(before, 'cost_usd'))}
      </Figure>
      <Figure name="Per run" value={dollars(quantile(costs, 0.5))} small="median">
        90th percentile {dollars(quantile(costs, 0.9))}, of {grouped(costs.length)}
      </Figure>
      <Figure name="Spent on lost or rejected work" value={dollars(wasted)} small={share(wasted, total)}>
        answers that were turned down, lost or called off
      </Figure>
    </dl>
  );
}

function Today({ spent }: { spent: number }) {
  const { budgets } = useLive();
  const whole = budgets.find(({ project }) => project === null);
  if (!whole || whole.limit_usd === null) {
    return (
      <Figure name="Today" value={dollars(spent)}>
        <span>no budget set</span>
        <CommandLine command="baton budget set 20" />
      </Figure>
    );
  }
  const { spent_usd, limit_usd, left_usd } = whole;
  const left = left_usd ?? 0;
  return (
    <Figure name="Today" value={dollars(spent_usd)} small={`of ${dollars(limit_usd)}`}>
      <Meter used={spent_usd} limit={limit_usd} />
      {left > 0 ? `${dollars(left)} left until midnight, UTC` : 'nothing left: no new ask today'}
    </Figure>
  );
}

type FigureProps = { name: string; value: string; small?: string; children: ReactNode };

function Figure({ name, value, small, children }: FigureProps) {
  return (
    <div>
      <dt>{name}</dt>
      <dd className="v">
        {value} {small !== undefined && <small>{small}</small>}
      </dd>
      <dd className="sm t2">{children}</dd>
    </div>
  );
}

function ByKey({ version }: { version: number }) {
  const { query } = useAddress();
  const { by, name } = KEYS.find((key) => key.by === query.get('by')) ?? (KEYS[0] as (typeof KEYS)[number]);
  const { value, error } = useLoaded(`cost-${by}`, version, () => client.cost({ by, days: DAYS }));
  const rows = shortened(value?.items ?? []);
  const most = rows[0]?.cost_usd ?? 0;
  return (
    <section className="card" aria-label={`By ${name}`}>
      <header>
        <h2>By {name.toLowerCase()}</h2>
        <span className="t3 sm">{DAYS} days</span>
        <span className="sp" />
        <div className="row g4">
          {KEYS.map((key) => (
            <button
              key={key.by}
              type="button"
              className="btn s"
              aria-pressed={key.by === by}
              onClick={() => setQuery({ by: key.by === 'agent' ? null : key.by })}
            >
              {key.name}
            </button>
          ))}
        </div>
      </header>
      {error && <p className="in t2">This server does not tell it: {error.message}.</p>}
      {!error && value && rows.length === 0 && <p className="in t2">Nothing was spent in these days.</p>}
      {rows.length > 0 && !error && (
        <table>
          <thead>
            <tr>
              <th scope="col">{name}</th>
              <th scope="col" className="r hide-s">
                Handoffs
              </th>
              <th scope="col" className="r hide-s">
                Tokens
              </th>
              <th scope="col" className="r">
                Cost
              </th>
              <th scope="col" className="c-bar">
                <span className="vh">Share of the most</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <tr key={row.key}>
                <td>
                  <Words text={row.key === '' ? 'not known' : row.key} className="b" />
                </td>
                <td className="num t2 hide-s">{grouped(row.handoffs)}</td>
                <td className="num t2 hide-s">{tokens(row.tokens)}</td>
                <td className="num">{dollars(row.cost_usd)}</td>
                <td>
                  <div className="meter" aria-hidden="true">
                    <i style={{ width: `${most > 0 ? (100 * row.cost_usd) / most : 0}%`, background: 'var(--d3)' }} />
                  </div>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </section>
  );
}

/** The first ones by name, the rest as one. */
function shortened(rows: readonly CostRow[]): readonly CostRow[] {
  if (rows.length <= ROWS_MAX) return rows;
  const rest = rows.slice(ROWS_MAX - 1);
  const others = { key: 'others', tokens: 0, handoffs: 0, cost_usd: sum(rest, 'cost_usd'), wasted_usd: 0 };
  for (const row of rest) {
    others.tokens += row.tokens;
    others.handoffs += row.handoffs;
  }
  return [...rows.slice(0, ROWS_MAX - 1), others];
}

function sum(rows: readonly CostRow[], name: 'cost_usd' | 'wasted_usd'): number {
  return rows.reduce((total, row) => total + row[name], 0);
}

function share(part: number, whole: number): string {
  return whole > 0 ? `${((100 * part) / whole).toFixed(1)} %` : '';
}

function against(now: number, before: number): string {
  if (before <= 0) return 'nothing was spent in the days before';
  const percent = Math.round((100 * Math.abs(now - before)) / before);
  return percent === 0
    ? `as much as the ${DAYS} before`
    : `${percent} % ${now < before ? 'less' : 'more'} than the ${DAYS} before`;
}

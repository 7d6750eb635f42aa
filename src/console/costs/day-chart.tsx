import { useLayoutEffect, useRef } from 'react';
import type { CostRow } from '../../client/index.js';
import { dollars } from '../parts/figures.js';
import { axisMarks, type Forecast } from './forecast.js';

const [WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM] = [1136, 236, 44, 1010, 22, 206];
const WEEK = 7;

type Props = { days: readonly CostRow[]; expected: Forecast | null };

/** What each day cost, and what of it led nowhere; today with what is still expected. */
export function DayChart({ days, expected }: Props) {
  const area = useRef<HTMLElement>(null);
  // Where it is wider than the window it opens at today.
  useLayoutEffect(() => {
    if (area.current) area.current.scrollLeft = area.current.scrollWidth;
  }, []);
  const most = Math.max(0, ...days.map(({ cost_usd }) => cost_usd), expected?.high ?? 0);
  const marks = axisMarks(most === 0 ? 1 : most);
  const top = marks.at(-1) ?? 1;
  const y = (usd: number): number => BOTTOM - (usd / top) * (BOTTOM - TOP);
  const step = (RIGHT - LEFT) / days.length;
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls can be reached by keys */}
      <section ref={area} className="scroll-x chart" tabIndex={0} aria-label="Chart of the days">
        <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={summaryOf(days, expected)}>
          {marks.map((usd) => (
            <g key={usd}>
              <path d={`M${LEFT} ${y(usd)}H${RIGHT}`} stroke="var(--line)" />
              <text x={LEFT - 8} y={y(usd) + 4} textAnchor="end">
                {axis(usd, top)}
              </text>
            </g>
          ))}
          {days.map((day, index) => (
            <Bar key={day.key} day={day} x={LEFT + index * step} width={step - 5} y={y} />
          ))}
          {expected && (
            <Expected expected={expected} spent={days.at(-1)?.cost_usd ?? 0} x={RIGHT - step} width={step - 5} y={y} />
          )}
          {days.map(({ key }, index) => {
            const last = index === days.length - 1;
            if (!last && (index % WEEK !== 0 || days.length - index < WEEK)) return null;
            const x = last ? RIGHT - 5 : LEFT + index * step;
            return (
              <text key={key} x={x} y={BOTTOM + 20} textAnchor={last ? 'end' : 'start'} className={last ? 'now' : ''}>
                {last ? 'today' : dayName(key)}
              </text>
            );
          })}
          <Names />
        </svg>
      </section>
      <details className="same">
        <summary>The same as a table</summary>
        <DayTable days={days} />
      </details>
    </>
  );
}

type BarProps = { day: CostRow; x: number; width: number; y(usd: number): number };

function Bar({ day: { key, cost_usd, wasted_usd }, x, width, y }: BarProps) {
  if (cost_usd <= 0) return null;
  const kept = cost_usd - wasted_usd;
  return (
    <g>
      <title>{`${dayName(key)}: ${dollars(cost_usd)}, of it ${dollars(wasted_usd)} lost or rejected`}</title>
      <rect x={x} y={y(kept)} width={width} height={Math.max(0, y(0) - y(kept))} fill="var(--d2)" />
      {wasted_usd > 0 && (
        <rect x={x} y={y(cost_usd)} width={width} height={Math.max(1, y(kept) - y(cost_usd) - 1)} fill="var(--d4)" />
      )}
    </g>
  );
}

type ExpectedProps = { expected: Forecast; spent: number; x: number; width: number; y(usd: number): number };

function Expected({ expected: { usd, low, high }, spent, x, width, y }: ExpectedProps) {
  const middle = x + width / 2;
  return (
    <g className="forecast">
      <rect x={x} y={y(usd)} width={width} height={Math.max(0, y(spent) - y(usd) - 1)} />
      <path d={`M${middle} ${y(low)}V${y(high)}M${middle - 4} ${y(low)}h8M${middle - 4} ${y(high)}h8`} />
      <text x={middle} y={y(high) - 6} textAnchor="middle" className="now">
        {dollars(usd)}
      </text>
    </g>
  );
}

function Names() {
  const names = [
    { name: 'lost or rejected', fill: 'var(--d4)' },
    { name: 'work that went on', fill: 'var(--d2)' },
  ];
  return names.map(({ name, fill }, index) => (
    <g key={name}>
      <rect x={RIGHT + 14} y={BOTTOM - 40 + index * 20} width={9} height={9} rx={2} fill={fill} />
      <text x={RIGHT + 29} y={BOTTOM - 31 + index * 20}>
        {name}
      </text>
    </g>
  ));
}

function DayTable({ days }: { days: readonly CostRow[] }) {
  return (
    <table>
      <thead>
        <tr>
          <th scope="col">Day, UTC</th>
          <th scope="col" className="r">
            Cost
          </th>
          <th scope="col" className="r">
            Lost or rejected
          </th>
          <th scope="col" className="r">
            Handoffs
          </th>
        </tr>
      </thead>
      <tbody>
        {days.toReversed().map(({ key, cost_usd, wasted_usd, handoffs }) => (
          <tr key={key}>
            <td>{key}</td>
            <td className="num">{dollars(cost_usd)}</td>
            <td className="num">{dollars(wasted_usd)}</td>
            <td className="num">{handoffs}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function summaryOf(days: readonly CostRow[], expected: Forecast | null): string {
  const costs = days.map(({ cost_usd }) => cost_usd);
  const range = `between ${dollars(Math.min(...costs))} and ${dollars(Math.max(...costs))} a day`;
  const today = `today ${dollars(days.at(-1)?.cost_usd ?? 0)} so far`;
  const more = expected
    ? `, forecast ${dollars(expected.usd)} (${dollars(expected.low)} to ${dollars(expected.high)})`
    : '';
  return `Spend per day for ${days.length} days: ${range}; ${today}${more}.`;
}

function axis(usd: number, top: number): string {
  return top >= 4 ? `$${Math.round(usd)}` : dollars(usd);
}

function dayName(day: string): string {
  return new Date(`${day}T00:00:00Z`).toLocaleDateString('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' });
}

import type { CostRow } from '../../client/index.js';

export type Forecast = { usd: number; low: number; high: number; days: number; kind: 'weekdays' | 'weekend days' };

const DAY_MS = 86_400_000;
const LOOKED_AT = 14;
const DAYS_MIN = 3;

/** The last days in order, today last, also those on which nothing was spent. Days are those of UTC, as in the log. */
export function lastDays(rows: readonly CostRow[], nowMs: number, count: number): readonly CostRow[] {
  const known = new Map(rows.map((row) => [row.key, row]));
  return Array.from({ length: count }, (_, index) => {
    const key = new Date(nowMs - (count - 1 - index) * DAY_MS).toISOString().slice(0, 10);
    return known.get(key) ?? { key, cost_usd: 0, wasted_usd: 0, tokens: 0, handoffs: 0 };
  });
}

/**
 * What today will have cost: what it has, and of a usual day what is left of it. Usual is the middle of the last days
 * of its kind, the range from their first to their third quarter. Null when too few days are known.
 */
export function forecast(days: readonly CostRow[], nowMs: number): Forecast | null {
  const today = days.at(-1);
  const weekend = isWeekend(today?.key ?? '');
  const like = days.slice(0, -1).filter(({ key, cost_usd }) => isWeekend(key) === weekend && cost_usd > 0);
  const usual = like.slice(-LOOKED_AT).map(({ cost_usd }) => cost_usd);
  if (!today || usual.length < DAYS_MIN) return null;
  const left = 1 - (nowMs % DAY_MS) / DAY_MS;
  const at = (share: number): number => today.cost_usd + left * quantile(usual, share);
  return {
    ...{ usd: at(0.5), low: at(0.25), high: at(0.75), days: usual.length },
    kind: weekend ? 'weekend days' : 'weekdays',
  };
}

export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((one, other) => one - other);
  const place = (sorted.length - 1) * share;
  const [low = 0, high = low] = [sorted[Math.floor(place)], sorted[Math.ceil(place)]];
  return low + (high - low) * (place - Math.floor(place));
}

function isWeekend(day: string): boolean {
  return [0, 6].includes(new Date(`${day}T00:00:00Z`).getUTCDay());
}

const MARKS_MAX = 4;

/** Where an axis from zero has its marks, in steps of 1, 2 or 5 and their tens, of a cent at least. */
export function axisMarks(most: number): readonly number[] {
  const wanted = Math.max(most / MARKS_MAX, 0.01);
  const unit = 10 ** Math.floor(Math.log10(wanted * 1.000001));
  const step = [1, 2, 5, 10].map((times) => times * unit).find((size) => size >= wanted * 0.999999) ?? 10 * unit;
  const count = Math.max(1, Math.ceil(most / step - 0.000001));
  return Array.from({ length: count + 1 }, (_, index) => index * step);
}

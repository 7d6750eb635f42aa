import { expect, test } from 'vitest';
import type { CostRow } from '../../client/index.js';
import { axisMarks, forecast, lastDays, quantile } from './forecast.js';

/** A Wednesday, three quarters of the day over. */
const NOW = Date.parse('2026-01-14T18:00:00Z');

const row = (key: string, cost_usd: number): CostRow => ({ key, cost_usd, wasted_usd: 0, tokens: 0, handoffs: 0 });

test('days on which nothing was spent are there too, today is the last', () => {
  const days = lastDays([row('2026-01-12', 3), row('2025-12-01', 9)], NOW, 4);
  expect(days.map(({ key, cost_usd }) => [key, cost_usd])).toEqual([
    ['2026-01-11', 0],
    ['2026-01-12', 3],
    ['2026-01-13', 0],
    ['2026-01-14', 0],
  ]);
});

test('today will have cost what it has, and what is left of a usual day of its kind', () => {
  const rows = [row('2026-01-14', 5), row('2026-01-13', 8), row('2026-01-12', 4), row('2026-01-09', 12)];
  const weekend = [row('2026-01-10', 400), row('2026-01-11', 400)];
  const days = lastDays([...rows, ...weekend], NOW, 10);
  expect(forecast(days, NOW)).toEqual({ usd: 7, low: 6.5, high: 7.5, days: 3, kind: 'weekdays' });
  expect(forecast(lastDays(rows.slice(0, 3), NOW, 10), NOW), 'too few days').toBeNull();
});

test('quantiles lie between their neighbours, axes have round marks and end above the most', () => {
  expect([quantile([], 0.5), quantile([4], 0.9), quantile([1, 2, 3, 4], 0.5)]).toEqual([0, 4, 2.5]);
  expect([0, 27, 4, 51].map(axisMarks)).toEqual([
    [0, 0.01],
    [0, 10, 20, 30],
    [0, 1, 2, 3, 4],
    [0, 20, 40, 60],
  ]);
});

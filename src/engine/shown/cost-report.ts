import type { CostKey, CostRow } from '../../contracts/api/cost-shapes.js';
import { byModel, type Figures } from '../../core/kernel/model-usage.js';
import type { Spendings, SpentAttempt } from '../projections/spendings.js';

export const COST_KEYS: readonly CostKey[] = ['agent', 'model', 'project', 'day', 'run', 'kind'];

const MICRO = 1_000_000;

/** What was spent since a time, the most first, and what of it led nowhere. Days are those of UTC. */
export async function costReport(spendings: Spendings, by: CostKey, sinceMs: number): Promise<CostRow[]> {
  const rows = new Map<string, CostRow>();
  for (const attempt of await spendings.all()) {
    if (attempt.atMs < sinceMs) continue;
    for (const { key, figures } of partsOf(by, attempt)) add(rows, key, figures, attempt.kept);
  }
  return [...rows.values()].sort((one, other) => other.cost_usd - one.cost_usd);
}

/** An attempt may ask several models, and counts as a handoff of each. */
function partsOf(by: CostKey, attempt: SpentAttempt): { key: string; figures: Figures }[] {
  const { usage } = attempt;
  if (by === 'model') return byModel(usage).map((part) => ({ key: part.model, figures: part }));
  const key = by === 'day' ? new Date(attempt.atMs).toISOString().slice(0, 10) : attempt[by];
  return [{ key, figures: usage }];
}

function add(rows: Map<string, CostRow>, key: string, figures: Figures, kept: boolean): void {
  const row = rows.get(key) ?? { key, cost_usd: 0, wasted_usd: 0, tokens: 0, handoffs: 0 };
  const cost = figures.costMicroUsd / MICRO;
  rows.set(key, {
    key,
    cost_usd: wholeMicros(row.cost_usd + cost),
    wasted_usd: wholeMicros(row.wasted_usd + (kept ? 0 : cost)),
    tokens: row.tokens + figures.inputTokens + figures.outputTokens,
    handoffs: row.handoffs + 1,
  });
}

/** Sums of dollars without what floating point adds to them. */
export function wholeMicros(usd: number): number {
  return Math.round(usd * MICRO) / MICRO;
}

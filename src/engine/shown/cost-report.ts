import type { JobEvent } from '../../core/job/job-messages.js';
import type { EventStore } from '../ports.js';
import { CostFold, type Spending } from '../projections/cost-fold.js';

export const COST_KEYS = ['agent', 'project', 'day', 'run'] as const;
export type CostKey = (typeof COST_KEYS)[number];
export type CostRow = { key: string; cost_usd: number; wasted_usd: number; tokens: number; handoffs: number };

const PAGE = 1_000;
const MICRO = 1_000_000;
const TYPES: ReadonlySet<string> = new Set([
  'JobSubmitted',
  'HandoffAsked',
  'HandoffAnswered',
  'HandoffCollected',
  'HandoffEnded',
  'JobCanceled',
]);

/** What was spent since a time, the most first, and what of it led nowhere. Days are those of UTC. */
export async function costReport(store: EventStore, by: CostKey, sinceMs: number): Promise<CostRow[]> {
  const rows = new Map<string, CostRow>();
  const jobs = new Map<string, { fold: CostFold; project: string }>();
  for (let after = 0; ; ) {
    const page = await store.feed(after, PAGE);
    for (const { run, type, data } of page) {
      if (!TYPES.has(type)) continue;
      const event = { ...JSON.parse(data), type } as JobEvent;
      if (event.type === 'JobSubmitted') {
        jobs.set(run, { fold: new CostFold(), project: event.order.repository?.folder ?? '' });
        continue;
      }
      const job = jobs.get(run);
      const spent = job?.fold.add(event);
      if (job && spent && spent.atMs >= sinceMs) add(rows, keyOf(by, run, job.project, spent), spent);
    }
    if (page.length < PAGE) return [...rows.values()].sort((one, other) => other.cost_usd - one.cost_usd);
    after = page.at(-1)?.position ?? after;
  }
}

function keyOf(by: CostKey, run: string, project: string, { agent, atMs }: Spending): string {
  switch (by) {
    case 'agent':
      return agent;
    case 'project':
      return project;
    case 'day':
      return new Date(atMs).toISOString().slice(0, 10);
    case 'run':
      return run;
  }
}

function add(rows: Map<string, CostRow>, key: string, { usage, kept }: Spending): void {
  const row = rows.get(key) ?? { key, cost_usd: 0, wasted_usd: 0, tokens: 0, handoffs: 0 };
  const cost = usage.costMicroUsd / MICRO;
  rows.set(key, {
    key,
    cost_usd: row.cost_usd + cost,
    wasted_usd: row.wasted_usd + (kept ? 0 : cost),
    tokens: row.tokens + usage.inputTokens + usage.outputTokens,
    handoffs: row.handoffs + 1,
  });
}

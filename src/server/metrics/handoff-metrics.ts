import { Counter, Histogram, type Registry } from 'prom-client';
import type { JobEvent } from '../../core/job/job-messages.js';
import type { EventRow } from '../../engine/ports.js';
import { CostFold } from '../../engine/projections/cost-fold.js';

const MICRO = 1_000_000;
const SECONDS = [1, 5, 15, 60, 300, 900, 3_600];
const JOBS_MAX = 10_000;
const TYPES: ReadonlySet<string> = new Set([
  'HandoffAsked',
  'HandoffAnswered',
  'HandoffCollected',
  'HandoffEnded',
  'JobCanceled',
]);

/** What agents did since this process began, read out of the log as it grows. */
export class HandoffMetrics {
  private readonly handoffs: Counter<'agent' | 'outcome'>;
  private readonly seconds: Histogram<'agent'>;
  private readonly cost: Counter<'agent'>;
  private readonly tokens: Counter<'agent'>;
  private readonly jobs = new Map<string, { fold: CostFold; askedAtMs: number }>();

  constructor(registry: Registry) {
    const registers = [registry];
    this.handoffs = new Counter({
      ...{ name: 'baton_handoffs_total', help: 'Attempts that ended, by what came of them', registers },
      labelNames: ['agent', 'outcome'],
    });
    this.seconds = new Histogram({
      ...{ name: 'baton_handoff_seconds', help: 'From the ask to the end of the attempt', buckets: SECONDS, registers },
      labelNames: ['agent'],
    });
    this.cost = new Counter({ name: 'baton_cost_usd_total', help: 'Spent', labelNames: ['agent'], registers });
    this.tokens = new Counter({ name: 'baton_tokens_total', help: 'Used', labelNames: ['agent'], registers });
  }

  see({ run, type, data }: EventRow): void {
    if (!TYPES.has(type)) return;
    const event = { ...JSON.parse(data), type } as JobEvent;
    const job = this.jobs.get(run) ?? { fold: new CostFold(), askedAtMs: event.atMs };
    if (event.type === 'HandoffAsked') job.askedAtMs = event.atMs;
    const spent = job.fold.add(event);
    this.remember(run, job);
    if (!spent) return;
    const { agent, usage } = spent;
    const outcome = event.type === 'HandoffEnded' ? `${event.response} ${event.action}` : 'called off';
    this.handoffs.inc({ agent, outcome });
    this.seconds.observe({ agent }, (event.atMs - job.askedAtMs) / 1_000);
    this.cost.inc({ agent }, usage.costMicroUsd / MICRO);
    this.tokens.inc({ agent }, usage.inputTokens + usage.outputTokens);
  }

  /** Those that were heard of last. */
  private remember(run: string, job: { fold: CostFold; askedAtMs: number }): void {
    this.jobs.delete(run);
    this.jobs.set(run, job);
    const [oldest] = this.jobs.keys();
    if (this.jobs.size > JOBS_MAX && oldest !== undefined) this.jobs.delete(oldest);
  }
}

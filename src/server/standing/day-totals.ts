import type { JobEvent } from '../../core/job/job-messages.js';
import type { Clock, EventRow } from '../../engine/ports.js';
import { CostFold } from '../../engine/projections/cost-fold.js';

export type DayTotal = { cost_usd: number; wasted_usd: number; events: number };

const DAYS_MAX = 60;
const DAY_MS = 86_400_000;
const MICRO = 1_000_000;
const SPENDING = /^(Handoff(Asked|Answered|Collected|Ended)|JobCanceled)$/;

/** What each day of UTC brought, as far as the log was read. */
export class DayTotals {
  private readonly clock: Clock;
  private readonly days = new Map<string, DayTotal>();
  private readonly folds = new Map<string, CostFold>();

  constructor(clock: Clock) {
    this.clock = clock;
  }

  see({ run, type, data, at }: EventRow): void {
    this.day(at.slice(0, 10)).events += 1;
    if (!SPENDING.test(type)) return;
    const fold = this.folds.get(run) ?? new CostFold();
    this.folds.set(run, fold);
    const spent = fold.add({ ...JSON.parse(data), type } as JobEvent);
    if (!spent) return;
    // Nothing of it is left over for the next attempt.
    this.folds.delete(run);
    const day = this.day(dayOf(spent.atMs));
    day.cost_usd += spent.usage.costMicroUsd / MICRO;
    if (!spent.kept) day.wasted_usd += spent.usage.costMicroUsd / MICRO;
  }

  today(): DayTotal {
    return this.days.get(dayOf(this.clock.nowMs())) ?? { cost_usd: 0, wasted_usd: 0, events: 0 };
  }

  /** How many events there were in the last days, today included. */
  eventsIn(days: number): number {
    const first = dayOf(this.clock.nowMs() - (days - 1) * DAY_MS);
    return [...this.days].reduce((sum, [day, { events }]) => (day >= first ? sum + events : sum), 0);
  }

  private day(name: string): DayTotal {
    const known = this.days.get(name);
    if (known) return known;
    const made = { cost_usd: 0, wasted_usd: 0, events: 0 };
    this.days.set(name, made);
    if (this.days.size > DAYS_MAX) this.days.delete([...this.days.keys()].sort()[0] ?? name);
    return made;
  }
}

function dayOf(atMs: number): string {
  return new Date(atMs).toISOString().slice(0, 10);
}

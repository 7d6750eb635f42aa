import type { JobEvent } from '../../core/job/job-messages.js';
import type { Clock, EventRow, EventStore } from '../../engine/ports.js';
import { CostFold } from '../../engine/projections/cost-fold.js';

export type DayTotal = { cost_usd: number; wasted_usd: number; events: number };

const PAGE = 500;
const LOOK_MS = 1_000;
const DAYS_MAX = 60;
const MICRO = 1_000_000;
const SPENDING = /^(Handoff(Asked|Answered|Collected|Ended)|JobCanceled)$/;

/** What each day of UTC brought: the log is read once, and then what is new in it. */
export class DayTotals {
  private readonly around: { store: EventStore; clock: Clock };
  private readonly days = new Map<string, DayTotal>();
  private readonly folds = new Map<string, CostFold>();
  private readonly unsubscribe: () => void;
  private position = 0;
  private reading: Promise<void> = Promise.resolve();
  private cancel: (() => void) | undefined;
  private closed = false;

  constructor(around: { store: EventStore; clock: Clock }) {
    this.around = around;
    this.unsubscribe = around.store.onCommit(() => this.soon());
    this.soon();
  }

  /** Of today, as far as the log was read. */
  today(): DayTotal {
    return this.days.get(dayOf(this.around.clock.nowMs())) ?? { cost_usd: 0, wasted_usd: 0, events: 0 };
  }

  /** How many events there were in the last days, today included. */
  eventsIn(days: number): number {
    const first = dayOf(this.around.clock.nowMs() - (days - 1) * 86_400_000);
    return [...this.days].reduce((sum, [day, { events }]) => (day >= first ? sum + events : sum), 0);
  }

  close(): void {
    this.closed = true;
    this.unsubscribe();
    this.cancel?.();
  }

  private soon(): void {
    this.cancel ??= this.around.clock.after(LOOK_MS, () => {
      this.cancel = undefined;
      this.reading = this.reading.then(() => this.read()).catch(() => {});
    });
  }

  private async read(): Promise<void> {
    while (!this.closed) {
      await new Promise((resolve) => setImmediate(resolve));
      const rows = await this.around.store.feed(this.position, PAGE);
      for (const row of rows) this.add(row);
      this.position = rows.at(-1)?.position ?? this.position;
      if (rows.length < PAGE) return;
    }
  }

  private add({ run, type, data, at }: EventRow): void {
    this.day(at.slice(0, 10)).events += 1;
    if (!SPENDING.test(type)) return;
    const fold = this.folds.get(run) ?? new CostFold();
    this.folds.set(run, fold);
    const spent = fold.add({ ...JSON.parse(data), type } as JobEvent);
    if (!spent) return;
    const day = this.day(dayOf(spent.atMs));
    day.cost_usd += spent.usage.costMicroUsd / MICRO;
    if (!spent.kept) day.wasted_usd += spent.usage.costMicroUsd / MICRO;
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

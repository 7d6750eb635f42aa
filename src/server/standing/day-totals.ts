import type { Clock, EventRow } from '../../engine/ports.js';

const DAYS_MAX = 60;
const DAY_MS = 86_400_000;

/** How many events each day of UTC brought, as far as the log was read. */
export class DayTotals {
  private readonly clock: Clock;
  private readonly days = new Map<string, number>();

  constructor(clock: Clock) {
    this.clock = clock;
  }

  see({ at }: EventRow): void {
    const day = at.slice(0, 10);
    this.days.set(day, (this.days.get(day) ?? 0) + 1);
    if (this.days.size > DAYS_MAX) this.days.delete([...this.days.keys()].sort()[0] ?? day);
  }

  /** Of the last days, today included. */
  eventsIn(days: number): number {
    const first = new Date(this.clock.nowMs() - (days - 1) * DAY_MS).toISOString().slice(0, 10);
    return [...this.days].reduce((sum, [day, events]) => (day >= first ? sum + events : sum), 0);
  }
}

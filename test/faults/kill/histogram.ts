import { MOMENTS, type Moment } from '../stage/under-way.js';

const BAR_WIDTH = 30;

/** How often which process was killed while it did what. */
export class Histogram {
  private readonly counts = new Map<string, number>();
  private total = 0;

  add(who: 'worker' | 'client', moment: Moment): void {
    const name = `${who} ${moment}`;
    this.counts.set(name, (this.counts.get(name) ?? 0) + 1);
    this.total += 1;
  }

  lines(): string[] {
    return ['worker', 'client'].flatMap((who) =>
      MOMENTS.flatMap((moment) => {
        const count = this.counts.get(`${who} ${moment}`);
        if (count === undefined) return [];
        const bar = '█'.repeat(Math.ceil((count / this.total) * BAR_WIDTH));
        return [`killed: ${`${who} ${moment}`.padEnd(29)} ${String(count).padStart(5)} ${bar}`];
      }),
    );
  }
}

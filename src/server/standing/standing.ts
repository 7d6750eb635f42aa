import type { Baton } from '../../engine/opened-baton.js';
import { ChainWatch } from './chain-watch.js';
import { DayTotals } from './day-totals.js';
import { WorkerWatch } from './worker-watch.js';

/** What the server knows by watching, so that nobody who asks has to wait for it. */
export class Standing {
  readonly version: string;
  readonly chain: ChainWatch;
  readonly days: DayTotals;
  readonly workers: WorkerWatch;

  constructor(baton: Pick<Baton, 'store' | 'clock' | 'hasher'>, version: string) {
    this.version = version;
    this.chain = new ChainWatch(baton);
    this.days = new DayTotals(baton);
    this.workers = new WorkerWatch(baton);
  }

  close(): void {
    this.chain.close();
    this.days.close();
    this.workers.close();
  }
}

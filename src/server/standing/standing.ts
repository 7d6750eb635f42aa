import type { Baton } from '../../engine/opened-baton.js';
import { ChainWatch } from './chain-watch.js';
import { DayTotals } from './day-totals.js';
import { LogReader } from './log-reader.js';
import { NotableEvents } from './notable-events.js';
import { WorkerWatch } from './worker-watch.js';

/** What the server knows by watching, so that nobody who asks has to wait for it. */
export class Standing {
  readonly version: string;
  readonly chain: ChainWatch;
  readonly days: DayTotals;
  readonly notable = new NotableEvents();
  readonly workers: WorkerWatch;
  private readonly reader: LogReader;

  constructor(baton: Pick<Baton, 'store' | 'clock' | 'hasher'>, version: string) {
    this.version = version;
    this.chain = new ChainWatch(baton);
    this.days = new DayTotals(baton.clock);
    this.workers = new WorkerWatch(baton);
    this.reader = new LogReader(baton, (row) => {
      this.days.see(row);
      this.notable.see(row);
    });
  }

  /** For whoever must not miss what was just written. */
  caughtUp(): Promise<void> {
    return this.reader.caughtUp();
  }

  close(): void {
    this.chain.close();
    this.reader.close();
    this.workers.close();
  }
}

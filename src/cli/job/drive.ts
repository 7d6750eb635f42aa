import type { JobEvent } from '../../core/job/job-messages.js';
import type { Desk } from '../../engine/desk.js';
import { whileDriven } from '../../engine/keep-driving.js';
import type { EventRow, RunRow } from '../../engine/ports.js';

const READ_AGAIN_MS = 500;
const PAGE = 200;

/** Drives a run, or watches whoever does, until nothing but a person can move it on, or until told to stop. */
export async function driveUntilRest(
  { engine, clock }: Desk,
  run: string,
  signal: AbortSignal,
): Promise<RunRow | undefined> {
  const rested = engine.rested(run);
  const stopped = new Promise<undefined>((resolve) => {
    if (signal.aborted) resolve(undefined);
    signal.addEventListener('abort', () => resolve(undefined));
  });
  return whileDriven({ engine, clock }, run, Promise.race([rested, stopped]));
}

type Tell<Event> = (event: Event, row: EventRow) => Promise<void>;

/** Every event of a run behind a number, as they come, until told to stop; what is there at the end is told too. */
export class RunTail<Event extends { type: string } = JobEvent> {
  private seq: number;
  private ended = false;
  private reading: Promise<void> = Promise.resolve();
  private readonly desk: Desk;
  private readonly run: string;
  private readonly tell: Tell<Event>;
  private readonly unwatch: () => void;

  constructor(desk: Desk, run: string, after: number, tell: Tell<Event>) {
    this.desk = desk;
    this.run = run;
    this.seq = after;
    this.tell = tell;
    this.unwatch = desk.engine.watch(run, () => this.look());
    this.look();
  }

  async end(): Promise<void> {
    this.ended = true;
    this.unwatch();
    this.look();
    await this.reading;
  }

  private look(): void {
    this.reading = this.reading
      .then(() => this.read())
      .catch(() => {
        // Nobody may commit again for long: what could not be read is read again by itself.
        if (!this.ended) this.desk.clock.after(READ_AGAIN_MS, () => this.look());
      });
  }

  private async read(): Promise<void> {
    for (;;) {
      const rows = await this.desk.store.events(this.run, this.seq, PAGE);
      for (const row of rows) {
        this.seq = row.seq;
        await this.tell({ ...JSON.parse(row.data), type: row.type } as Event, row);
      }
      if (rows.length < PAGE) return;
    }
  }
}

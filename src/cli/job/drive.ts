import type { JobEvent } from '../../core/job/job-messages.js';
import type { Desk } from '../../engine/desk.js';
import type { EventRow, RunRow } from '../../engine/ports.js';

/** How often somebody who only watches looks whether the one who drives is still there. */
const LOOK_AGAIN_MS = 1_000;
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
  const end = Promise.race([rested, stopped]);
  const driving = new AbortController();
  try {
    return await Promise.race([end, keepDriving({ engine, clock }, run, driving.signal)]);
  } finally {
    driving.abort();
  }
}

/** Never resolves: fails when the run cannot be driven, and ends quietly when told to. */
function keepDriving(
  { engine, clock }: Pick<Desk, 'engine' | 'clock'>,
  run: string,
  signal: AbortSignal,
): Promise<never> {
  return new Promise((_, reject) => {
    let cancel = (): void => {};
    const look = async (): Promise<void> => {
      if (!signal.aborted && !engine.owns(run)) await engine.drive(run);
      if (!signal.aborted) cancel = clock.after(LOOK_AGAIN_MS, () => void look().catch(reject));
    };
    signal.addEventListener('abort', () => cancel());
    look().catch(reject);
  });
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

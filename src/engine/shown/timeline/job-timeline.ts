import { BatonError } from '../../../contracts/shared/errors.js';
import type { RecoveryPoint } from '../../../core/job/job-messages.js';
import type { EventRow, EventStore, RunId } from '../../ports.js';
import { BEGINNING, type Moment, markOf, momentAfter } from './moment.js';
import type { Attempt } from './relay-row.js';

const PAGE = 500;
/** A moment is kept for every so many events: any other one is that few events away. */
const KEPT_EVERY = 500;

type TakenPoint = RecoveryPoint & { event: number; at: string };

/**
 * The whole life of one job, so that any moment of it can be shown without reading what came before.
 * T1: of attempts only the last can still change, so all but that one are the same at every later moment.
 * T2: moments are values; whoever looks at one while the log grows sees the one that was asked for.
 */
export class JobTimeline {
  readonly rows: Attempt[] = [];
  readonly points: TakenPoint[] = [];
  /** One letter for each event. */
  marks = '';
  author: string | null = null;
  head: Moment = BEGINNING;
  private readonly kept: Moment[] = [BEGINNING];
  private readonly store: Pick<EventStore, 'events'>;
  private readonly run: RunId;
  private reading: Promise<void> = Promise.resolve();

  constructor(store: Pick<EventStore, 'events'>, run: RunId) {
    this.store = store;
    this.run = run;
  }

  /** Reads what was written since. */
  catchUp(): Promise<void> {
    const reading = this.reading.then(() => this.readOn());
    this.reading = reading.catch(() => {});
    return reading;
  }

  /** The moment behind an event that was read already. */
  async moment(seq: number): Promise<Moment> {
    if (seq === this.head.seq) return this.head;
    if (seq < 1 || seq > this.head.seq) {
      throw new BatonError('USAGE', `there is no event ${seq}; ${this.run} has ${this.head.seq}`, { at: seq });
    }
    let moment = this.kept[Math.floor(seq / KEPT_EVERY)] ?? BEGINNING;
    const rows = seq > moment.seq ? await this.store.events(this.run, moment.seq, seq - moment.seq) : [];
    for (const row of rows) moment = momentAfter(moment, row);
    return moment;
  }

  /** Attempts as they were at a moment. */
  rowsAt({ row }: Moment, from: number, until: number): readonly Attempt[] {
    if (row === null) return [];
    const ended = this.rows.slice(from, Math.min(until, row.sequence));
    return from <= row.sequence && row.sequence < until ? [...ended, row] : ended;
  }

  private async readOn(): Promise<void> {
    for (;;) {
      const rows = await this.store.events(this.run, this.head.seq, PAGE);
      for (const row of rows) this.take(row);
      if (rows.length < PAGE) return;
    }
  }

  private take(stored: EventRow): void {
    const { seq, at, actor } = stored;
    this.head = momentAfter(this.head, stored);
    this.author ??= actor;
    this.marks += markOf(stored);
    const { row } = this.head;
    if (row) this.rows[row.sequence] = row;
    if (stored.type === 'PointTaken') this.points.push({ ...JSON.parse(stored.data).point, event: seq, at });
    if (seq % KEPT_EVERY === 0) this.kept.push(this.head);
  }
}

const TIMELINES_MAX = 4;

/** Those that were looked at last. */
export class JobTimelines {
  private readonly kept = new Map<RunId, JobTimeline>();
  private readonly store: Pick<EventStore, 'events'>;

  constructor(store: Pick<EventStore, 'events'>) {
    this.store = store;
  }

  async of(run: RunId): Promise<JobTimeline> {
    const timeline = this.kept.get(run) ?? new JobTimeline(this.store, run);
    this.kept.delete(run);
    this.kept.set(run, timeline);
    for (const oldest of this.kept.keys()) {
      if (this.kept.size <= TIMELINES_MAX) break;
      this.kept.delete(oldest);
    }
    await timeline.catchUp();
    return timeline;
  }
}

import type { JobEvent } from '../../core/job/job-messages.js';
import type { EventRow, EventStore } from '../../engine/ports.js';
import { type EndedSpan, JobSpans } from './spans.js';

const PAGE = 500;
const JOBS_MAX = 10_000;
/** Whoever cannot keep up loses spans, not memory. */
const WAITING_MAX = 10_000;
const TYPES: ReadonlySet<string> = new Set([
  'JobSubmitted',
  'HandoffAsked',
  'HandoffAnswered',
  'HandoffCollected',
  'HandoffEnded',
  'JobApproved',
  'JobCanceled',
]);

/** Tells spans as events come in. A job that began before is read from its beginning, and only what is new is told. */
export class SpanFollower {
  private readonly store: Pick<EventStore, 'events'>;
  private readonly tell: (span: EndedSpan) => void;
  private readonly jobs = new Map<string, JobSpans>();
  private seeing: Promise<void> = Promise.resolve();
  private waiting = 0;

  constructor(store: Pick<EventStore, 'events'>, tell: (span: EndedSpan) => void) {
    this.store = store;
    this.tell = tell;
  }

  see(row: EventRow): void {
    if (!TYPES.has(row.type) || this.waiting >= WAITING_MAX) return;
    this.waiting += 1;
    this.seeing = this.seeing
      .then(() => this.add(row))
      // What cannot be told of is not told of: the run itself does not mind.
      .catch(() => {})
      .finally(() => {
        this.waiting -= 1;
      });
  }

  /** Resolves when everything that was seen was told. */
  idle(): Promise<void> {
    return this.seeing;
  }

  private async add(row: EventRow): Promise<void> {
    const { run } = row;
    const spans = this.jobs.get(run) ?? (row.type === 'JobSubmitted' ? new JobSpans(run) : await this.begun(row));
    this.jobs.delete(run);
    const event = eventOf(row);
    for (const span of spans.add(event)) this.tell(span);
    if (event.type !== 'JobCanceled' && !endsWell(event)) this.remember(run, spans);
  }

  private async begun({ run, seq }: EventRow): Promise<JobSpans> {
    const spans = new JobSpans(run);
    for (let after = 0; ; ) {
      const rows = await this.store.events(run, after, PAGE);
      for (const row of rows) if (row.seq < seq && TYPES.has(row.type)) spans.add(eventOf(row));
      after = rows.at(-1)?.seq ?? seq;
      if (rows.length < PAGE || after >= seq) return spans;
    }
  }

  /** Those that were heard of last. */
  private remember(run: string, spans: JobSpans): void {
    this.jobs.set(run, spans);
    const [oldest] = this.jobs.keys();
    if (this.jobs.size > JOBS_MAX && oldest !== undefined) this.jobs.delete(oldest);
  }
}

function eventOf({ type, data }: EventRow): JobEvent {
  return { ...JSON.parse(data), type } as JobEvent;
}

function endsWell(event: JobEvent): boolean {
  return 'next' in event && event.next.to === 'success';
}

import type { BridgeEvent } from '../../core/bridge/bridge-messages.js';
import type { EnvelopeEvent } from '../../core/envelope/envelope-messages.js';
import type { JobEvent } from '../../core/job/job-messages.js';
import { projectIn } from '../../core/job/job-order.js';
import type { SessionEvent } from '../../core/session/session-messages.js';
import type { TaskEvent } from '../../core/task/task-messages.js';
import type { EventRow, EventStore } from '../ports.js';
import { CostFold, type Spending } from './cost-fold.js';
import { SESSION_SPENDS, sessionSpending } from './session-spending.js';

/** One attempt that has ended, of which run, and for whom. */
export type SpentAttempt = Spending & { run: string; kind: SpentKind; project: string };
type SpentKind = 'job' | 'task' | 'envelope' | 'bridge' | 'session';

const PAGE = 1_000;
const TYPES: ReadonlySet<string> = new Set([
  'JobSubmitted',
  'TaskBegun',
  'EnvelopeReceived',
  'BridgeBegun',
  'BridgeWatched',
  'HandoffAsked',
  'HandoffAnswered',
  'HandoffCollected',
  'HandoffEnded',
  'JobCanceled',
]);

type Begun =
  | Extract<TaskEvent, { type: 'TaskBegun' }>
  | Extract<EnvelopeEvent, { type: 'EnvelopeReceived' }>
  | Extract<BridgeEvent, { type: 'BridgeBegun' | 'BridgeWatched' }>;

/** These come again when a run is gone on with: what was spent before stays. */
const KINDS = { EnvelopeReceived: 'envelope', BridgeBegun: 'bridge', BridgeWatched: 'bridge' } as const;

/**
 * What all attempts have used, read out of the log once: whoever asks again reads only what was written since. Nothing
 * is read before somebody asks.
 */
export class Spendings {
  private readonly store: Pick<EventStore, 'feed'>;
  private readonly attempts: SpentAttempt[] = [];
  private readonly jobs = new Map<string, { fold: CostFold; project: string; kind: SpentAttempt['kind'] }>();
  private readonly sessions = new Map<string, { agent: string; project: string }>();
  private position = 0;
  private reading: Promise<unknown> = Promise.resolve();

  constructor(store: Pick<EventStore, 'feed'>) {
    this.store = store;
  }

  /** One after the other: two who read the same events would count them twice. */
  all(): Promise<readonly SpentAttempt[]> {
    const next = this.reading.then(() => this.catchUp());
    this.reading = next.catch(() => undefined);
    return next;
  }

  private async catchUp(): Promise<readonly SpentAttempt[]> {
    for (;;) {
      const rows = await this.store.feed(this.position, PAGE);
      for (const row of rows) this.see(row);
      this.position = rows.at(-1)?.position ?? this.position;
      if (rows.length < PAGE) return this.attempts;
    }
  }

  private see(row: EventRow): void {
    if (row.type === 'SessionConfigured' || SESSION_SPENDS.has(row.type)) this.seeSession(row);
    else if (TYPES.has(row.type)) this.seeHandoff(row);
  }

  /** Whoever sets a session up again may name another model. */
  private seeSession({ run, type, data, at }: EventRow): void {
    const event = { ...JSON.parse(data), type } as SessionEvent;
    if (event.type === 'SessionConfigured') {
      this.sessions.set(run, { agent: event.order.agent, project: event.order.project });
      return;
    }
    const session = this.sessions.get(run);
    const spent = sessionSpending(event);
    if (session && spent) this.attempts.push({ ...spent, ...session, run, kind: 'session', atMs: Date.parse(at) });
  }

  private seeHandoff({ run, type, data }: EventRow): void {
    const event = { ...JSON.parse(data), type } as Begun | JobEvent;
    if (event.type === 'EnvelopeReceived' || event.type === 'BridgeBegun' || event.type === 'BridgeWatched') {
      const fold = this.jobs.get(run)?.fold ?? new CostFold();
      this.jobs.set(run, { fold, project: event.order.project, kind: KINDS[event.type] });
      return;
    }
    if (event.type === 'TaskBegun') {
      this.jobs.set(run, { fold: new CostFold(), project: event.order.project, kind: 'task' });
      return;
    }
    if (event.type === 'JobSubmitted') {
      this.jobs.set(run, { fold: new CostFold(), project: projectIn(event.order), kind: 'job' });
      return;
    }
    const job = this.jobs.get(run);
    const spent = job?.fold.add(event);
    if (job && spent) this.attempts.push({ ...spent, run, kind: job.kind, project: job.project });
  }
}

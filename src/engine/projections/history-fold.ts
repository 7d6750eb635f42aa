import { jobDecider } from '../../core/job/job-decider.js';
import type { Reading } from '../../core/job/job-deeds.js';
import { type RequestFacts, requestFacts } from '../../core/job/job-effects.js';
import type { JobEvent, RecoveryPoint } from '../../core/job/job-messages.js';
import type { JobOrder } from '../../core/job/job-order.js';
import { type Job, type LiveJob, phaseNamed } from '../../core/job/job-state.js';
import { NOTHING_SPENT, type Spent } from '../../core/kernel/budget.js';
import type { BodyRef } from '../../core/kernel/effect.js';
import { betweenOf } from './between.js';
import type { Between, EndedAttempt } from './ended-attempt.js';

type Event<Type extends JobEvent['type']> = Extract<JobEvent, { type: Type }>;
type OpenAttempt = {
  asked: Event<'HandoffAsked'>;
  facts: RequestFacts | null;
  spentBefore: Spent;
  answered: { answer: BodyRef; request: BodyRef | null } | null;
  reading: Reading | null;
};

export type TakenPoint = RecoveryPoint & { atMs: number };

/** Folds the events of one job into the attempts that are over. What was taken is forgotten, so a long job stays small. */
export class HistoryFold {
  readonly points: TakenPoint[] = [];
  createdAtMs = 0;
  /** As it was submitted: limits that were raised later stand between the attempts. */
  order: JobOrder | undefined;
  private job: Job = jobDecider.initialState();
  private open: OpenAttempt | null = null;
  private since: Between[] = [];
  private ended: EndedAttempt[] = [];

  get live(): LiveJob {
    if (this.job.status === 'NEW') throw new Error('a job begins with its submission');
    return this.job;
  }

  add(event: JobEvent): void {
    const act = betweenOf(event, this.job);
    if (act) this.since.push(act);
    this.job = jobDecider.evolve(this.job, event);
    switch (event.type) {
      case 'JobSubmitted':
        this.createdAtMs = event.atMs;
        this.order = event.order;
        break;
      case 'HandoffAsked':
        this.open = this.begin(event);
        break;
      case 'WorkspacePrepared':
        // Time that setting up took while an answer by hand waited is not the attempt's.
        if (this.open) this.open.spentBefore.activeMs += event.setupMs;
        break;
      case 'HandoffAnswered':
        if (this.open) this.open.answered = { answer: event.answer, request: event.request };
        break;
      case 'HandoffCollected':
        if (this.open) this.open.reading = event.reading;
        break;
      case 'HandoffEnded':
        if (this.open) this.end(this.open, event);
        break;
      case 'PointTaken':
        this.points.push({ ...event.point, atMs: event.atMs });
        break;
    }
  }

  /** The attempts that ended since this was asked last. */
  take(): EndedAttempt[] {
    const taken = this.ended;
    this.ended = [];
    return taken;
  }

  private begin(asked: Event<'HandoffAsked'>): OpenAttempt {
    const { live } = this;
    const facts = live.workspace ? requestFacts(live) : null;
    return { asked, facts, spentBefore: { ...live.spent }, answered: null, reading: null };
  }

  private end({ asked, facts, spentBefore, answered, reading }: OpenAttempt, event: Event<'HandoffEnded'>): void {
    const { sequence, handoff, attempt, atMs: askedAtMs, stateBefore, phase, agent } = asked;
    const { response, action, cause, reason, next, status } = event;
    const spent = difference(this.live.spent, spentBefore);
    this.ended.push({
      ...{ sequence, handoff, attempt, askedAtMs, stateBefore, phase, agent },
      ...{ response, action, cause, reason, status },
      ...{ costMicroUsd: spent.costMicroUsd, tokens: spent.tokens, activeMs: spent.activeMs },
      role: phaseNamed(this.live, phase)?.role ?? phase,
      workspace: this.live.workspace?.folder ?? null,
      facts,
      request: answered ? answered.request : event.request,
      answer: answered?.answer ?? null,
      summary: reading?.summary ?? null,
      evidence: reading ? [...reading.evidence.map((file) => file.path), ...reading.missing] : [],
      whole: reading?.whole ?? null,
      contextFiles: facts?.handedOn?.files ?? [],
      byHand: answered !== null && answered.request === null,
      waitMs: next.to === 'again' ? Math.max(0, next.untilMs - event.atMs) : null,
      since: this.since,
    });
    this.since = [];
    this.open = null;
  }
}

function difference(now: Spent, before: Spent): Spent {
  return {
    ...NOTHING_SPENT,
    costMicroUsd: now.costMicroUsd - before.costMicroUsd,
    tokens: now.tokens - before.tokens,
    activeMs: now.activeMs - before.activeMs,
  };
}

/** Tells the life of a job in tests: each step is decided by the machine and folded. */
import type { Usage } from '../kernel/effect.js';
import { type BodyRef, type EffectResult, type FailureKind, NO_USAGE } from '../kernel/effect.js';
import { jobDecider } from './job-decider.js';
import type { Reading } from './job-deeds.js';
import type { JobCommand, JobEvent } from './job-messages.js';
import { builtInPhases, type JobOrder } from './job-order.js';
import type { Job, LiveJob } from './job-state.js';
import type { Action } from './job-status.js';

export const BODY: BodyRef = { sha256: 'a'.repeat(64), bytes: 1 };

type Without<Command> = Command extends { atMs: number } ? Omit<Command, 'atMs'> : never;

export function order(changes: Partial<JobOrder> = {}): JobOrder {
  return {
    title: 'a job',
    prompt: BODY,
    phases: builtInPhases('worker', 'supervisor'),
    limits: {},
    handoffTimeoutMs: 60_000,
    verify: 'strict',
    approval: false,
    repository: null,
    setup: null,
    checks: [],
    protect: [],
    env: [],
    after: [],
    rank: 0,
    fallback: null,
    projectFile: null,
    forkedFrom: null,
    ...changes,
  };
}

export function reading(action: Action | null, changes: Partial<Reading> = {}): Reading {
  return {
    action,
    fault: null,
    violation: null,
    summary: BODY,
    evidence: [],
    missing: [],
    unnamed: [],
    changed: { files: 0, added: 0, removed: 0 },
    reported: null as Usage | null,
    warnings: [],
    advice: BODY,
    commit: 'c0ffee',
    ...changes,
  };
}

export class JobStory {
  events: JobEvent[] = [];
  private job: Job = jobDecider.initialState();
  private nowMs = 1_000;

  static active(changes: Partial<JobOrder> = {}): JobStory {
    return new JobStory().tell({ type: 'Submit', order: order(changes), activate: true });
  }

  static draft(changes: Partial<JobOrder> = {}): JobStory {
    return new JobStory().tell({ type: 'Submit', order: order(changes), activate: false });
  }

  get live(): LiveJob {
    if (this.job.status === 'NEW') throw new Error('there is no job yet');
    return this.job;
  }
  get status(): string {
    return this.job.status;
  }
  get phase(): string {
    return this.live.phase;
  }
  get handoff(): string | null {
    const { stage } = this.live;
    return 'handoff' in stage ? stage.handoff.key : null;
  }
  get why(): string | null {
    const { stage } = this.live;
    return stage.name === 'resting' ? stage.why : null;
  }

  copy(): JobStory {
    const other = new JobStory();
    other.events = [...this.events];
    other.job = structuredClone(this.job);
    other.nowMs = this.nowMs;
    return other;
  }

  after(ms: number): this {
    this.nowMs += ms;
    return this;
  }

  tell(command: Without<Exclude<JobCommand, EffectResult>>): this {
    return this.send({ ...command, atMs: this.nowMs } as JobCommand);
  }

  result(result: Without<EffectResult>): this {
    return this.send({ ...result, atMs: this.nowMs } as JobCommand);
  }

  refusal(command: Without<Exclude<JobCommand, EffectResult>>): string | undefined {
    const decision = jobDecider.decide(this.job, { ...command, atMs: this.nowMs } as JobCommand);
    return 'refusal' in decision ? decision.refusal.code : undefined;
  }

  eventsOf(command: JobCommand): readonly JobEvent[] {
    const decision = jobDecider.decide(this.job, command);
    return 'events' in decision ? decision.events : [];
  }

  prepared(): this {
    const result = { folder: '/work', branch: 'baton/x', base: 'ba5e', setupMs: 0, leftOut: 0, notes: [] };
    return this.result({ type: 'Performed', key: 'workspace', result });
  }

  admitted(): this {
    for (const { type, key } of jobDecider.outstanding(this.job)) {
      if (type === 'Admit') return this.result({ type: 'Admitted', key });
    }
    throw new Error(`a job that is ${this.status} waits for no place`);
  }

  woke(): this {
    const { stage } = this.live;
    if (stage.name === 'pausing') this.nowMs = stage.untilMs;
    return this.result({ type: 'Woke', key: 'wake' });
  }

  answers(action: Action | null, changes: Partial<Reading> = {}): this {
    this.result({ type: 'Answered', key: this.handoff ?? '', answer: BODY, usage: NO_USAGE, request: BODY });
    return this.collected(reading(action, changes));
  }

  collected(result: Reading): this {
    const { stage } = this.live;
    const { key, attempt } = 'handoff' in stage ? stage.handoff : { key: '', attempt: 0 };
    return this.result({ type: 'Performed', key: `collect-${key}.${attempt}`, result });
  }

  checked(exitCodes: readonly number[], protectedChanged: readonly string[] = []): this {
    const { stage } = this.live;
    const { key, attempt } = 'handoff' in stage ? stage.handoff : { key: '', attempt: 0 };
    const results = exitCodes.map((exitCode) => ({ argv: ['npm', 'test'], exitCode, ms: 1, output: BODY }));
    const guidance = exitCodes.some((code) => code !== 0) ? BODY : null;
    const result = { results, protectedChanged, guidance };
    return this.result({ type: 'Performed', key: `check-${key}.${attempt}`, result });
  }

  fails(failure: FailureKind, retryAfterMs?: number, usage = NO_USAGE): this {
    const wait = retryAfterMs === undefined ? {} : { retryAfterMs };
    return this.result({ type: 'Failed', key: this.handoff ?? '', failure, reason: 'x', usage, ...wait });
  }

  asks(what = 'git push'): this {
    const wanted = { kind: 'exec', what, cwd: '/work', why: null, hash: `hash of ${what}` } as const;
    return this.result({ type: 'Asks', key: this.handoff ?? '', wanted, usage: NO_USAGE, thread: 't1' });
  }

  lost(): this {
    return this.result({ type: 'Lost', key: this.handoff ?? '', usage: NO_USAGE });
  }

  owes(): string[] {
    return [...jobDecider.outstanding(this.job)].map(({ type, key }) => `${type} ${key}`);
  }

  agent(): string | undefined {
    for (const effect of jobDecider.outstanding(this.job)) if (effect.type === 'Ask') return effect.agent;
    return undefined;
  }

  deadlineInMs(): number | undefined {
    const { stage } = this.live;
    return stage.name === 'asking' ? stage.deadlineMs - this.nowMs : undefined;
  }

  pauseMs(): number {
    const { stage } = this.live;
    return stage.name === 'pausing' ? stage.untilMs - this.nowMs : 0;
  }

  lastEnd(): Extract<JobEvent, { type: 'HandoffEnded' }> | undefined {
    return this.events.findLast((event) => event.type === 'HandoffEnded');
  }

  private send(command: JobCommand): this {
    const decision = jobDecider.decide(this.job, command);
    if ('refusal' in decision) throw new Error(`${command.type}: ${decision.refusal.code} ${decision.refusal.reason}`);
    for (const event of decision.events) this.job = jobDecider.evolve(this.job, event);
    this.events.push(...decision.events);
    return this;
  }
}

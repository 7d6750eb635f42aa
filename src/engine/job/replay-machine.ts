import type { JobInteraction } from '../../contracts/generated/types/job-history.js';
import { readAnswer } from '../../contracts/job/read-answer.js';
import { jobDecider } from '../../core/job/job-decider.js';
import type { CheckedWork, DeedProblem, Reading } from '../../core/job/job-deeds.js';
import { admitKey, checkKey, collectKey, WORKSPACE_KEY } from '../../core/job/job-effects.js';
import type { Cause, JobCommand, JobEvent } from '../../core/job/job-messages.js';
import type { JobOrder } from '../../core/job/job-order.js';
import { duePhase, type Handoff, type Job, type LiveJob, openQuestion } from '../../core/job/job-state.js';
import type { Action } from '../../core/job/job-status.js';
import { type EffectResult, type FailureKind, NO_USAGE, type Usage } from '../../core/kernel/effect.js';
import { PARK_MS_DEFAULT, PARK_MS_MIN } from '../../core/kernel/provider-wait.js';
import type { Between } from '../projections/ended-attempt.js';
import type { AttemptNotes } from '../projections/job-history.js';
import { happened } from './replay-between.js';
import type { Mismatch, Replay } from './replay-history.js';
import { NO_TEXT } from './replay-order.js';

type Ended = Extract<JobEvent, { type: 'HandoffEnded' }>;
type Asked = Extract<JobEvent, { type: 'HandoffAsked' }>;
/** One interaction, read for the machine. */
type Told = {
  atMs: number;
  ms: number;
  usage: Usage;
  notes: AttemptNotes;
  said: Action | null;
  answered: boolean;
};
type Unanswered = FailureKind | 'lost';

const UNANSWERED: ReadonlySet<string> = new Set<Unanswered>([
  ...(['network', 'limit', 'login', 'auth', 'not-found', 'timeout', 'crash', 'refused'] as const),
  ...(['disk-full', 'workspace'] as const),
  ...(['spent', 'lost'] as const),
]);
const NO_WANTED = { kind: 'exec', what: '', cwd: '', why: null, hash: '' } as const;
const NO_NOTES: AttemptNotes = { cause: null, reason: null, tokens: 0, by_hand: false, wait_seconds: null, since: [] };

/**
 * Drives the machine of jobs through a history: what the world did is taken from it, what follows is decided anew.
 * So there is no second set of rules that could differ from the first.
 */
export class MachineReplay implements Replay {
  private job: Job = jobDecider.initialState();

  constructor(order: JobOrder) {
    this.fold([
      { type: 'JobSubmitted', atMs: 0, order },
      { type: 'JobActivated', atMs: 0 },
    ]);
  }

  problem(interaction: JobInteraction): Mismatch | undefined {
    const told = read(interaction);
    const { since } = told.notes;
    const strange = this.follow(
      since.filter((act) => !isDuring(act)),
      told.atMs,
    );
    if (strange) return strange;
    if (this.live.stage.name === 'pausing') this.fold([{ type: 'PauseEnded', atMs: told.atMs }]);
    const { phase } = this.live;
    const asked = this.ask(told);
    if (!asked) return { reason: 'nobody was due', expected: this.job.status, found: interaction.state_before };
    const { role } = duePhase({ ...this.live, phase });
    const odd = this.follow(since.filter(isDuring), told.atMs);
    if (odd) return odd;
    const ended = this.end(told);
    return askedProblem(interaction, asked, role) ?? endedProblem(interaction, told, ended);
  }

  /** What happened besides asking and answering. */
  private follow(acts: readonly Between[], atMs: number): Mismatch | undefined {
    for (const act of acts) {
      const events = happened(act, this.live, atMs);
      if (!events) return { reason: 'this cannot happen here', expected: this.job.status, found: act };
      this.fold(events);
    }
    return undefined;
  }

  private get live(): LiveJob {
    if (this.job.status === 'NEW') throw new Error('there is no job');
    return this.job;
  }

  private ask({ atMs, notes }: Told): Asked | undefined {
    const { role } = duePhase(this.live);
    const { handoff } = this;
    const key = handoff ? admitKey(this.live, handoff) : '';
    const events = notes.by_hand
      ? this.send({ type: 'PostStep', atMs, handoff: null, role, answer: NO_TEXT })
      : this.send({ type: 'Admitted', atMs, key });
    return events.find((event) => event.type === 'HandoffAsked');
  }

  private end(told: Told): Ended | undefined {
    const { cause, by_hand } = told.notes;
    const atMs = told.atMs + told.ms;
    const key = this.handoff?.key ?? '';
    if (cause === 'told') {
      const used = { handoff: key, attempt: this.handoff?.attempt ?? 0, usage: told.usage };
      const ended = this.send({ type: 'Advise', atMs, advice: NO_TEXT, now: told.said === null, used });
      if (told.said === null) return last(ended);
    }
    if (cause === 'asked') return last(this.asked(told, key, atMs));
    const answered = by_hand || told.answered;
    if (cause !== null && UNANSWERED.has(cause) && !(answered && isProblem(cause)))
      return last(this.send(failure(cause as Unanswered, told, key)));
    if (!by_hand) this.send({ type: 'Answered', atMs, key, answer: NO_TEXT, request: NO_TEXT, usage: NO_USAGE });
    const { handoff } = this;
    if (!handoff) return undefined;
    if (cause !== null && isProblem(cause)) return last(this.stop(cause, handoff, told, atMs));
    // By hand, only the checks take time.
    const collected = this.perform(collectKey(handoff), by_hand ? told.atMs : atMs, readingOf(told));
    if (this.live.stage.name !== 'checking') return last(collected);
    return last(this.perform(checkKey(handoff), atMs, checkedOf(cause)));
  }

  /** What a person said to it is not told; it went on. */
  private asked({ usage }: Told, key: string, atMs: number): readonly JobEvent[] {
    const ended = this.send({ type: 'Asks', atMs, key, wanted: NO_WANTED, usage });
    const question = openQuestion(this.live);
    if (question !== null && this.live.stage.name === 'approving') {
      this.send({ type: 'Decide', atMs, question, decision: 'approved', guidance: null });
    }
    return ended;
  }

  /** An answer that could not be looked at, because there was no workspace yet or not any more. */
  private stop(kind: DeedProblem['kind'], handoff: Handoff, { usage }: Told, atMs: number): readonly JobEvent[] {
    if (!this.live.workspace) return this.perform(WORKSPACE_KEY, atMs, { problem: '', output: null });
    return this.perform(collectKey(handoff), atMs, { problem: '', kind, reported: usage });
  }

  private get handoff() {
    const { stage } = this.live;
    return 'handoff' in stage ? stage.handoff : undefined;
  }

  private perform(key: string, atMs: number, result: object): readonly JobEvent[] {
    return this.send({ type: 'Performed', atMs, key, result });
  }

  private send(command: JobCommand): readonly JobEvent[] {
    const decision = jobDecider.decide(this.job, command);
    const events = 'events' in decision ? decision.events : [];
    this.fold(events);
    return events;
  }

  private fold(events: readonly JobEvent[]): void {
    for (const event of events) this.job = jobDecider.evolve(this.job, event);
  }
}

function isDuring(act: Between): boolean {
  return 'during' in act && act.during === true;
}

function read({ timestamp, response, x_attempt }: JobInteraction): Told {
  const notes: AttemptNotes = { ...NO_NOTES, ...(x_attempt as object | undefined) };
  return {
    atMs: Date.parse(timestamp),
    ms: Math.round(response.execution_time_seconds * 1_000),
    usage: { inputTokens: notes.tokens, outputTokens: 0, costMicroUsd: Math.round(response.cost_usd * 1_000_000) },
    notes,
    answered: response.raw_response !== '',
    said: readAnswer(response.raw_response, { exact: false }).response?.action ?? null,
  };
}

function failure(cause: Unanswered, { atMs, ms, usage, notes }: Told, key: string): EffectResult {
  if (cause === 'lost') return { type: 'Lost', atMs, key, usage };
  const waitMs = (notes.wait_seconds ?? 0) * 1_000;
  // Who waits long is parked, and so is who does not wait because somebody else is asked.
  const parked = cause === 'limit' && (waitMs === 0 || waitMs > PARK_MS_MIN);
  const retryAfterMs = parked ? PARK_MS_DEFAULT : waitMs;
  return { type: 'Failed', atMs: atMs + ms, key, failure: cause, reason: '', usage, retryAfterMs };
}

function readingOf({ notes: { cause }, said, usage }: Told): Reading {
  const fault = isFault(cause) ? { kind: cause, reason: '' } : null;
  return {
    action: fault && fault.kind !== 'evidence' ? null : said,
    fault,
    violation: null,
    summary: null,
    evidence: [],
    missing: [],
    unnamed: [],
    changed: { files: 0, added: 0, removed: 0 },
    reported: usage,
    warnings: [],
    advice: null,
    commit: null,
  };
}

function isProblem(cause: Cause): cause is DeedProblem['kind'] {
  return cause === 'workspace' || cause === 'disk-full';
}

function isFault(cause: Cause | null): cause is NonNullable<Reading['fault']>['kind'] {
  return cause === 'schema' || cause === 'action' || cause === 'summary' || cause === 'path' || cause === 'evidence';
}

function checkedOf(cause: Cause | null): CheckedWork {
  const result = { argv: ['check'], exitCode: cause === 'check' ? 1 : 0, ms: 0, output: NO_TEXT };
  return { results: [result], protectedChanged: cause === 'protected' ? ['a file'] : [], guidance: null };
}

function last(events: readonly JobEvent[]): Ended | undefined {
  return events.find((event) => event.type === 'HandoffEnded');
}

function askedProblem(found: JobInteraction, asked: Asked, role: string): Mismatch | undefined {
  const { metadata } = found.request;
  const key = found.handoff?.split('/').at(-1);
  return (
    differs('state_before', asked.stateBefore, found.state_before) ??
    differs('handoff', asked.handoff, key) ??
    differs('attempt', asked.attempt, found.attempt) ??
    differs('sequence', asked.sequence, found.sequence) ??
    differs('phase', asked.phase, metadata.phase) ??
    differs('role', role, metadata.role)
  );
}

function endedProblem({ response }: JobInteraction, { notes }: Told, ended: Ended | undefined): Mismatch | undefined {
  if (!ended) return { reason: 'this attempt cannot have ended so', expected: 'an end', found: notes.cause };
  return (
    differs('status', ended.response, response.status) ??
    differs('action', ended.action, response.action) ??
    differs('new_status', ended.status, response.new_status) ??
    differs('cause', ended.cause, notes.cause)
  );
}

function differs(field: string, expected: unknown, found: unknown): Mismatch | undefined {
  return expected === found
    ? undefined
    : { reason: `${field} does not follow from what stands before it`, expected, found };
}

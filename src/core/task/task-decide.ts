import type { DeedProblem } from '../job/job-deeds.js';
import { type Decision, refuse } from '../kernel/decider.js';
import { addUsage, type BodyRef, type EffectResult, NO_USAGE } from '../kernel/effect.js';
import { unreachable } from '../kernel/unreachable.js';
import { wantedWords } from '../kernel/wanted-words.js';
import type { PlanReading, TaskDeeds, TaskReading } from './task-deeds.js';
import { admitKey, COLLECT_KEY, PREPARE_KEY, REPORT_KEY, SPENT_KEY } from './task-effects.js';
import { isNothing } from './task-evolve.js';
import { afterFailure } from './task-failure.js';
import type { PlanReport, TaskCommand, TaskEvent, TaskReport } from './task-messages.js';
import { HANDOFF, type LiveTask, type TaskRun } from './task-state.js';

type Outcome = Decision<TaskEvent>;
type Result<Type extends EffectResult['type']> = Extract<EffectResult, { type: Type }>;
const NOTHING: Outcome = { events: [] };
/** What ends a silent agent is its silence; this only keeps one from being asked for ever. */
const HANDOFF_MS_MAX = 24 * 3_600_000;

export function decideTask(run: Readonly<TaskRun>, command: TaskCommand): Outcome {
  if (command.type === 'Begin') {
    if (run.status !== 'new') return refuse('ID_TAKEN', 'this attempt has begun already');
    return { events: [{ type: 'TaskBegun', atMs: command.atMs, order: command.order }] };
  }
  if (run.status === 'new') return refuse('RUN_NOT_FOUND', 'there is no such attempt yet');
  if (command.type === 'Stop') return stop(run, command);
  if (command.type === 'Decide') return decideWanted(run, command);
  return { events: decideResult(run, command) };
}

/** What was told already is the ledger's to judge. */
function stop(task: LiveTask, { atMs, reason }: Extract<TaskCommand, { type: 'Stop' }>): Outcome {
  const { stage } = task;
  if (stage.name === 'ended') return NOTHING;
  if (stage.name === 'stopping') return NOTHING;
  if (stage.name === 'asking') return { events: [{ type: 'TaskStopping', atMs, reason }] };
  const question = stage.name === 'approving' ? stage.question : null;
  return { events: [{ type: 'TaskEnded', atMs, end: 'stopped', reason, question }] };
}

function decideWanted(
  { stage }: LiveTask,
  { atMs, question, decision, guidance }: Extract<TaskCommand, { type: 'Decide' }>,
): Outcome {
  if (stage.name !== 'approving' || stage.question !== question) {
    return refuse('INVALID_TRANSITION', `the question ${question} is over`);
  }
  const { kind, hash, what } = stage.wanted;
  return { events: [{ type: 'ApprovalAnswered', atMs, question, verdict: { kind, hash, what, decision, guidance } }] };
}

/** Results of effects that are no longer owed are history, not instructions. */
function decideResult(task: LiveTask, result: EffectResult): TaskEvent[] {
  const { stage } = task;
  const { atMs, key } = result;
  const isAsking = stage.name === 'asking' && key === HANDOFF;
  switch (result.type) {
    case 'Performed':
      return performed(task, result);
    case 'Admitted':
      return stage.name === 'queued' && key === admitKey(task) ? [asked(task, atMs)] : [];
    case 'Parked': {
      const { reason, untilMs } = result;
      if (stage.name !== 'queued' || key !== admitKey(task)) return [];
      return [{ type: 'HandoffParked', atMs, handoff: HANDOFF, reason, untilMs }];
    }
    case 'Afforded':
      return stage.name === 'parked' ? [{ type: 'HandoffUnparked', atMs, handoff: HANDOFF }] : [];
    case 'Woke':
      return stage.name === 'pausing' && atMs >= stage.untilMs ? [{ type: 'PauseEnded', atMs }] : [];
    case 'Answered':
      return isAsking ? [answered(result)] : [];
    case 'Failed': {
      if (isAsking) return failed(task, result);
      // Fits every deed.
      const undone: DeedProblem & Spent = { problem: result.reason, kind: 'workspace', usage: NO_USAGE };
      return performed(task, { atMs, key, type: 'Performed', result: undone });
    }
    case 'Asks':
      return isAsking ? asks(task, result) : [];
    case 'Lost': {
      const { usage, thread } = result;
      const reason = 'the process that asked was ended before an answer was recorded';
      const lost = { atMs, cause: 'lost', reason, usage, ...(thread !== undefined && { thread }) } as const;
      return isAsking ? [unanswered(task, lost, atMs)] : [];
    }
    case 'Notified':
      if (stage.name !== 'approving' || stage.notified) return [];
      return [{ type: 'StewardNotified', atMs, question: stage.question }];
    case 'Told':
      if (stage.name !== 'reporting' || key !== REPORT_KEY) return [];
      return [{ type: 'TaskEnded', atMs, end: 'reported', reason: result.code ?? null, question: null }];
    case 'Executed':
    case 'Ended':
      return [];
    default:
      return unreachable(result);
  }
}

function asked({ asked: before, order }: LiveTask, atMs: number): TaskEvent {
  const deadlineMs = atMs + HANDOFF_MS_MAX;
  return { type: 'HandoffAsked', atMs, handoff: HANDOFF, attempt: before + 1, agent: order.agent, deadlineMs };
}

function answered(result: Result<'Answered'>): TaskEvent {
  const { atMs, answer, usage, request = null, thread } = result;
  const more = thread !== undefined && { thread };
  return { type: 'HandoffAnswered', atMs, handoff: HANDOFF, answer, request, usage, ...more };
}

type Unanswered = Pick<
  Extract<TaskEvent, { type: 'HandoffEnded' }>,
  'atMs' | 'cause' | 'reason' | 'usage' | 'thread'
> & {
  request?: BodyRef;
};

function unanswered({ asked: attempt }: LiveTask, end: Unanswered, againMs: number | null): TaskEvent {
  const { request = null, cause } = end;
  const response = cause === 'timeout' ? 'TIMEOUT' : 'ERROR';
  const action = againMs === null ? 'STUCK' : 'RETRY';
  return { ...end, type: 'HandoffEnded', handoff: HANDOFF, attempt, response, action, request, againMs };
}

function failed(task: LiveTask, result: Result<'Failed'>): TaskEvent[] {
  const { atMs, failure: cause, reason, usage, thread, request } = result;
  const end = { atMs, cause, reason, usage, ...(thread !== undefined && { thread }), ...(request && { request }) };
  const next = afterFailure(task, result);
  if ('againMs' in next) return [unanswered(task, end, next.againMs)];
  const ended = unanswered(task, end, null);
  return [ended, report(task, { atMs, outcome: next, usage })];
}

function asks(task: LiveTask, result: Result<'Asks'>): TaskEvent[] {
  const { atMs, wanted, usage, thread, request } = result;
  const reason = `it asks whether it may ${wantedWords(wanted)}`;
  const more = { ...(thread !== undefined && { thread }), ...(request && { request }) };
  return [
    unanswered(task, { atMs, cause: 'asked', reason, usage, ...more }, atMs),
    { type: 'ApprovalAsked', atMs, handoff: HANDOFF, wanted, question: task.questions + 1 },
  ];
}

function performed(task: LiveTask, { atMs, key, result }: Result<'Performed'>): TaskEvent[] {
  const { stage } = task;
  if (stage.name === 'preparing' && key === PREPARE_KEY) {
    const prepared = result as TaskDeeds['prepare']['result'];
    if ('folder' in prepared) return [{ type: 'WorkspacePrepared', atMs, ...prepared }];
    const outcome: TaskReading['outcome'] =
      'refused' in prepared
        ? { status: 'failed', code: 'SCOPE_VIOLATION', reason: prepared.refused }
        : { status: 'blocked', code: 'TASK_BLOCKED', reason: prepared.problem };
    return [report(task, { atMs, outcome })];
  }
  if (stage.name === 'stopping' && key === SPENT_KEY) return stopped(task, stage.reason, result as Spent, atMs);
  if (stage.name !== 'collecting' || key !== COLLECT_KEY) return [];
  if (task.order.planning === undefined) return collected(task, result as TaskDeeds['collect']['result'], atMs);
  return planned(task, result as TaskDeeds['plan']['result'], atMs);
}

function planned(task: LiveTask, reading: PlanReading | DeedProblem, atMs: number): TaskEvent[] {
  if ('problem' in reading) return collected(task, reading, atMs);
  const { outcome, ...rest } = reading;
  const { order, asked: attempt, usage: before, spent } = task;
  const isPlan = outcome.status === 'planned';
  const used = rest.reported && isNothing(before) ? rest.reported : NO_USAGE;
  const report: PlanReport = {
    ...{ plan: order.planning ?? 0, outcome, usage: addUsage(before, used), activeMs: spent.activeMs },
  };
  const reason = isPlan ? null : outcome.reason;
  const ended = { handoff: HANDOFF, attempt, request: null, usage: NO_USAGE, cause: null, againMs: null } as const;
  return [
    { type: 'HandoffCollected', atMs, handoff: HANDOFF, reading: rest },
    { type: 'HandoffEnded', atMs, ...ended, response: 'SUCCESS', action: isPlan ? 'COMPLETED' : 'STUCK', reason },
    { type: 'TaskReported', atMs, report, code: isPlan ? null : outcome.code },
  ];
}

type Spent = TaskDeeds['spent']['result'];

function stopped(task: LiveTask, reason: string, { usage }: Spent, atMs: number): TaskEvent[] {
  return [
    unanswered(task, { atMs, cause: 'stopped', reason, usage }, null),
    { type: 'TaskEnded', atMs, end: 'stopped', reason, question: null },
  ];
}

function collected(task: LiveTask, reading: TaskReading | DeedProblem, atMs: number): TaskEvent[] {
  const { asked: attempt, workspace } = task;
  const ended = {
    type: 'HandoffEnded',
    atMs,
    handoff: HANDOFF,
    attempt,
    request: null,
    usage: NO_USAGE,
    cause: null,
  } as const;
  if ('problem' in reading) {
    const outcome = { status: 'blocked', code: 'TASK_BLOCKED', reason: reading.problem } as const;
    const stuck = { ...ended, response: 'ERROR', action: 'STUCK', reason: reading.problem, againMs: null } as const;
    return [stuck, report(task, { atMs, outcome, usage: reading.reported ?? NO_USAGE })];
  }
  const { outcome, commit, proven, worklog, reported } = reading;
  const isDone = outcome.status === 'done';
  const work = isDone && commit !== null && workspace?.base ? { base: workspace.base, commit } : null;
  const usage = reported && isNothing(task.usage) ? reported : NO_USAGE;
  return [
    { type: 'HandoffCollected', atMs, handoff: HANDOFF, reading },
    {
      ...{ ...ended, response: 'SUCCESS', action: isDone ? 'COMPLETED' : 'STUCK', againMs: null },
      reason: isDone ? null : outcome.reason,
    },
    report(task, { atMs, outcome, work, proven, worklog, usage }),
  ];
}

/** `usage` is what was used since the last event. */
function report(
  { order, usage: before, spent, stage }: LiveTask,
  { atMs, usage = NO_USAGE, ...told }: Pick<TaskReport, 'outcome'> & Partial<TaskReport> & { atMs: number },
): TaskEvent {
  const activeMs = spent.activeMs + (stage.name === 'asking' ? Math.max(0, atMs - stage.askedAtMs) : 0);
  const report: TaskReport = {
    ...{ task: order.spec.task_id, attempt: order.attempt, work: null, proven: 0, worklog: null, activeMs },
    usage: addUsage(before, usage),
    ...told,
  };
  const { outcome } = report;
  const code = outcome.status === 'done' ? null : outcome.code;
  if (order.planning === undefined || outcome.status === 'done') return { type: 'TaskReported', atMs, report, code };
  const failed = { status: 'failed', code: outcome.code, reason: outcome.reason } as const;
  const plan: PlanReport = { plan: order.planning, outcome: failed, usage: report.usage, activeMs };
  return { type: 'TaskReported', atMs, report: plan, code };
}

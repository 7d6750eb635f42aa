import type { PlanTask } from '../../contracts/generated/types/plan.js';
import { amountWords, exhausted } from '../kernel/budget.js';
import { type Decision, type Refusal, refuse } from '../kernel/decider.js';
import { NO_USAGE } from '../kernel/effect.js';
import { beginProblem, begun } from './begin-problem.js';
import { decideDelta } from './decide-delta.js';
import { decideLedgerResult } from './decide-ledger-result.js';
import { askPlanner, takePlan } from './decide-plan.js';
import { decideTick } from './decide-silence.js';
import { afterTrouble, askAbout, withdrawn } from './decide-trouble.js';
import { bytesOf, ORDER_BYTES_MAX, PORTION_BYTES_MAX, TASK_BYTES_MAX, tooLarge } from './event-sizes.js';
import type { LedgerCommand, LedgerEvent, Pace, Shown } from './ledger-messages.js';
import { agentOf, type Ledger, type LiveLedger, type TaskRow } from './ledger-state.js';
import { isFinal } from './task-status.js';

type Outcome = Decision<LedgerEvent>;
type Command<Type extends LedgerCommand['type']> = Extract<LedgerCommand, { type: Type }>;

export function decideLedger(ledger: Readonly<Ledger>, command: LedgerCommand): Outcome {
  if (command.type === 'Open') return open(ledger, command);
  if (ledger.status === 'new') return refuse('RUN_NOT_FOUND', 'there is no ledger yet');
  switch (command.type) {
    case 'Go':
      return go(ledger, command);
    case 'Assign':
      return assign(ledger, command);
    case 'Claim':
      return claim(ledger, command);
    case 'HandIn':
      return handIn(ledger, command);
    case 'Report':
      return report(ledger, command);
    case 'TakeDelta':
      return decideDelta(ledger, command);
    case 'Tick':
      return { events: decideTick(ledger, command.beats, command.atMs) };
    case 'Plan':
      return askPlanner(ledger, command.atMs);
    case 'TakePlan':
      return takePlan(ledger, command);
    case 'AnswerBlocker':
      return answerBlocker(ledger, command);
    case 'Raise':
      return raise(ledger, command);
    default:
      return { events: decideLedgerResult(ledger, command) };
  }
}

function open(ledger: Readonly<Ledger>, { atMs, order, tasks, standings = [] }: Command<'Open'>): Outcome {
  if (ledger.status !== 'new') {
    return refuse('ID_TAKEN', `there is a run ${order.run} already`, { run_id: order.run });
  }
  if (bytesOf(order) > ORDER_BYTES_MAX) return tooLarge('objective, constraints and context_package', ORDER_BYTES_MAX);
  const portions: PlanTask[][] = [];
  let left = 0;
  for (const task of tasks) {
    const bytes = bytesOf(task);
    if (bytes > TASK_BYTES_MAX) return tooLarge(task.task_id, TASK_BYTES_MAX);
    if (bytes > left) {
      portions.push([]);
      left = PORTION_BYTES_MAX;
    }
    portions.at(-1)?.push(task);
    left -= bytes + 1;
  }
  const planned = portions.map((portion) => ({ type: 'TasksPlanned', atMs, tasks: portion }) as const);
  const restored = standings.map((standing) => ({ type: 'TaskRestored', atMs, standing }) as const);
  return { events: [{ type: 'LedgerOpened', atMs, order }, ...planned, ...restored] };
}

/** Whom nobody is named for nobody would ever be asked. What is blocked is asked about now that somebody is there to be asked for whoever leads. */
function go(ledger: LiveLedger, { atMs, ...said }: Command<'Go'>): Outcome {
  const { order, going, halt } = ledger;
  const pace: Pace = {
    concurrency: said.concurrency ?? order.concurrency,
    agent: said.agent ?? order.agent,
    fallback: said.fallback ?? order.fallback,
  };
  const paced = { ...ledger, order: { ...order, ...pace } };
  const nobody = [...ledger.tasks.values()].find((row) => !isFinal(row.status) && agentOf(paced, row) === null);
  if (nobody) {
    const { task_id } = nobody.spec;
    return refuse('AGENT_NOT_FOUND', `no agent is named for ${task_id}, and none for the run`, { task_id });
  }
  const events: LedgerEvent[] = [];
  const changed = (Object.keys(pace) as (keyof Pace)[]).some((of) => pace[of] !== order[of]);
  if (!going || changed) events.push({ type: 'LedgerBegun', atMs, ...pace });
  if (halt && halt.why !== 'limit') events.push({ type: 'LedgerResumed', atMs, question: halt.question });
  if (going || ledger.counts.blocked === 0) return { events };
  const rows = [...ledger.tasks.values()].filter(({ status, question }) => status === 'blocked' && question === null);
  const blocked = rows.map(({ spec, code, reason }) => {
    return { task: spec.task_id, code: code ?? 'TASK_BLOCKED', reason: reason ?? 'it is blocked' } as const;
  });
  return { events: [...events, ...askAbout({ ...ledger, going: true }, blocked, atMs)] };
}

function assign(ledger: LiveLedger, { atMs, task, owner }: Command<'Assign'>): Outcome {
  const row = ledger.tasks.get(task);
  if (!row) return unknownTask(task);
  const against = beginProblem(ledger, row);
  if (against) return { refusal: against };
  return { events: [...withdrawn(row, atMs), begun(row, { atMs, owner, epoch: null, own: false })] };
}

/** Nothing happens when nothing can be begun. */
function claim(ledger: LiveLedger, { atMs, owner }: Command<'Claim'>): Outcome {
  const room = ledger.order.concurrency - ledger.active.size;
  const [task] = room > 0 ? ledger.queue.next(1) : [];
  const row = task === undefined ? undefined : ledger.tasks.get(task);
  if (!row) return { events: [] };
  return { events: [begun(row, { atMs, owner, epoch: ledger.claims + 1, own: false })] };
}

function handIn(ledger: LiveLedger, { atMs, task, epoch, outcome, shown }: Command<'HandIn'>): Outcome {
  const row = ledger.tasks.get(task);
  if (!row) return unknownTask(task);
  if (row.status !== 'in_progress') {
    return refuse('INVALID_TRANSITION', `${task} is ${row.status}: nobody works on it`, { status: row.status });
  }
  if (row.begun || row.work || row.epoch !== epoch) {
    const under = row.begun || row.work ? `by ${row.owner}, whom Baton asked` : `under claim ${row.epoch ?? 'none'}`;
    const reason = `${task} is worked on ${under}, not under claim ${epoch ?? 'none'}`;
    return refuse('HANDOFF_LOST', reason, { task_id: task, epoch: row.epoch });
  }
  const taken = resultOf(row, { atMs, outcome, shown, work: null, usage: NO_USAGE, activeMs: atMs - row.givenMs });
  if (outcome.status === 'done') {
    return { events: [taken, { type: 'TaskMoved', atMs, task, to: 'done', code: null, reason: null }] };
  }
  return { events: [taken, ...afterTrouble(ledger, row, outcome, atMs)] };
}

type Taken = Pick<Extract<LedgerEvent, { type: 'ResultTaken' }>, 'atMs' | 'work' | 'usage' | 'activeMs'> & {
  outcome: Command<'HandIn'>['outcome'];
  shown: Shown;
};

function resultOf({ spec, attempt }: TaskRow, { outcome, shown, ...taken }: Taken): LedgerEvent {
  const code = outcome.status === 'done' ? null : outcome.code;
  return { type: 'ResultTaken', task: spec.task_id, attempt, status: outcome.status, code, ...shown, ...taken };
}

/** Whoever was given up, or has told already, is not heard. */
function report(ledger: LiveLedger, command: Command<'Report'>): Outcome {
  const { atMs, task, attempt, outcome, work, proven, worklog, usage, activeMs } = command;
  const row = ledger.tasks.get(task);
  if (!row?.begun || row.attempt !== attempt) {
    return refuse('HANDOFF_LOST', `${task}: attempt ${attempt} is over`, { task_id: task, attempt: row?.attempt ?? 0 });
  }
  const taken = resultOf(row, { atMs, outcome, shown: { proven, worklog }, work, usage, activeMs });
  if (outcome.status !== 'done') return { events: [taken, ...afterTrouble(ledger, row, outcome, atMs)] };
  if (work) return { events: [taken] };
  return { events: [taken, { type: 'TaskMoved', atMs, task, to: 'done', code: null, reason: null }] };
}

function answerBlocker(ledger: LiveLedger, { atMs, question, answer }: Command<'AnswerBlocker'>): Outcome {
  const task = ledger.questions.get(question)?.task;
  const row = task === undefined || task === null ? undefined : ledger.tasks.get(task);
  if (!row || task === undefined || task === null) {
    return refuse('INVALID_TRANSITION', `the question ${question} is over`, { question });
  }
  const answered: LedgerEvent = { type: 'BlockerAnswered', atMs, question, answer };
  const { code, reason, spec } = row;
  const [because, words] = [code ?? 'TASK_BLOCKED', reason ?? 'it was blocked'] as const;
  if (answer.type === 'give-up') {
    return { events: [answered, { type: 'TaskMoved', atMs, task, to: 'failed', code: because, reason: words }] };
  }
  const { agent, longer } = answer;
  const again: LedgerEvent = {
    ...{ type: 'TaskRequeued', atMs, task, code: because, reason: words, notBeforeMs: atMs, afresh: true },
    ...(agent !== null && { agent }),
    ...(longer && { timeoutSeconds: spec.timeout_seconds * 2 }),
  };
  return { events: [answered, again, { type: 'TaskDue', atMs, task }] };
}

function raise(ledger: LiveLedger, { atMs, limits }: Command<'Raise'>): Outcome {
  const { order, spent, halt } = ledger;
  const still = exhausted({ ...order.limits, ...limits }, spent);
  if (still)
    return refuse('LIMIT_TOO_LOW', `${amountWords(still, spent[still])} is used already`, { spent: spent[still] });
  const events: LedgerEvent[] = [{ type: 'LimitsRaised', atMs, limits }];
  if (halt?.why === 'limit') events.push({ type: 'LedgerResumed', atMs, question: halt.question });
  return { events };
}

function unknownTask(task: string): { refusal: Refusal } {
  const reason = `there is no task ${task}`;
  return refuse('LEDGER_INCONSISTENT', reason, { issues: [{ task_id: task, reason }] });
}

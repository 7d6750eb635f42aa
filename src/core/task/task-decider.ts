import type { Decider } from '../kernel/decider.js';
import type { InboxChange } from '../kernel/inbox.js';
import type { RunSummary } from '../kernel/run-summary.js';
import { wantedQuestion } from '../kernel/wanted-words.js';
import { decideTask } from './task-decide.js';
import { taskEffects } from './task-effects.js';
import { evolveTask } from './task-evolve.js';
import type { TaskCommand, TaskEvent } from './task-messages.js';
import { type LiveTask, questionKey, type TaskRun } from './task-state.js';

/** One attempt at a task of a ledger: a workspace, one handoff, and what is told of it. */
export const taskDecider: Decider<TaskCommand, TaskEvent, TaskRun> = {
  kind: 'task',
  version: 1,
  initialState: () => ({ status: 'new' }),
  decide: decideTask,
  evolve: evolveTask,
  outstanding: (task) => (task.status === 'new' ? [] : taskEffects(task)),
  summary,
  inbox,
};

const WAITS: Readonly<Partial<Record<LiveTask['stage']['name'], string>>> = {
  approving: 'permission',
  parked: 'budget',
};

function summary(task: Readonly<TaskRun>): RunSummary {
  if (task.status === 'new') throw new Error('an attempt has no row before it begins');
  const { order, stage, spent, asked } = task;
  const { name } = stage;
  const rests = name === 'ended' || name === 'pausing' || (name === 'approving' && stage.notified);
  return {
    status: name === 'ended' ? stage.end : name,
    title: order.planning === undefined ? `${order.spec.task_id} ${order.spec.title}` : order.spec.title,
    agent: order.agent,
    project: order.project,
    parent: order.ledger,
    owes: !rests,
    wakeAtMs: 'untilMs' in stage ? stage.untilMs : null,
    waitingFor: WAITS[name] ?? null,
    ended: name === 'ended',
    costMicroUsd: spent.costMicroUsd,
    tokens: spent.tokens,
    activeMs: spent.activeMs,
    handoffs: asked,
  };
}

function inbox(event: TaskEvent): InboxChange | undefined {
  if (event.type === 'ApprovalAsked') {
    return { open: { key: questionKey(event.question), ...wantedQuestion(event.wanted) } };
  }
  if (event.type === 'ApprovalAnswered' || (event.type === 'TaskEnded' && event.question !== null)) {
    return { close: questionKey(event.question as number) };
  }
  return undefined;
}

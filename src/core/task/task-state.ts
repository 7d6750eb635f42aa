import type { Workspace } from '../job/job-deeds.js';
import { NOTHING_SPENT, type Spent } from '../kernel/budget.js';
import { type BodyRef, NO_USAGE, type Usage, type Verdict, type Wanted } from '../kernel/effect.js';
import type { PlanReport, TaskEnd, TaskReport } from './task-messages.js';
import type { TaskOrder } from './task-order.js';

export type TaskStage =
  | { name: 'preparing' }
  | { name: 'queued' }
  | { name: 'pausing'; untilMs: number }
  /** A budget of the day is used up. */
  | { name: 'parked'; untilMs: number }
  | { name: 'asking'; deadlineMs: number; askedAtMs: number }
  | { name: 'approving'; wanted: Wanted; question: number; notified: boolean }
  | { name: 'collecting'; answer: BodyRef }
  | { name: 'stopping'; reason: string }
  | { name: 'reporting'; report: TaskReport | PlanReport }
  | { name: 'ended'; end: TaskEnd };

export type TaskRun = { status: 'new' } | LiveTask;
export type LiveTask = {
  status: 'open';
  order: TaskOrder;
  stage: TaskStage;
  workspace: Workspace | null;
  /** Of the one handoff: how often it was asked. */
  asked: number;
  /** How often in a row it was asked again because nobody answered. */
  repeats: number;
  thread: string | null;
  verdict: Verdict | null;
  questions: number;
  spent: Spent;
  usage: Usage;
};

/** The question that an item of the inbox is about, while it waits for an answer. */
export function isAsked({ stage }: LiveTask, key: string): number | null {
  return stage.name === 'approving' && questionKey(stage.question) === key ? stage.question : null;
}

export function questionKey(question: number): string {
  return `steward-${question}`;
}

/** An attempt is one handoff. */
export const HANDOFF = 'h1';

export function beginTask(order: TaskOrder): LiveTask {
  return {
    ...{ status: 'open', order, stage: { name: 'preparing' }, workspace: null },
    ...{ asked: 0, repeats: 0, thread: null, verdict: null, questions: 0 },
    ...{ spent: NOTHING_SPENT, usage: NO_USAGE },
  };
}

import type { Effect } from '../kernel/effect.js';
import { unreachable } from '../kernel/unreachable.js';
import { wantedWords } from '../kernel/wanted-words.js';
import { silenceMs } from './silence-limit.js';
import type { TaskDeeds } from './task-deeds.js';
import type { PlanReport, TaskReport } from './task-messages.js';
import type { TaskOrder } from './task-order.js';
import { HANDOFF, type LiveTask } from './task-state.js';

export const TASK_COMPOSER = 'assignment';
/** Of what an orchestrator is asked: made from the ledger as it stands then. */
export const PLAN_COMPOSER = 'planning';
export const PREPARE_KEY = 'workspace';
export const COLLECT_KEY = 'collect';
export const SPENT_KEY = 'spent';
export const REPORT_KEY = 'report';
export const admitKey = ({ asked }: LiveTask): string => `admit-${asked + 1}`;

/** All an assignment packet is made of. */
export type PacketFacts = Pick<TaskOrder, 'ledger' | 'spec' | 'objective' | 'context' | 'othersLocks'>;

export function* taskEffects(task: LiveTask): Iterable<Effect> {
  const { order, stage, workspace } = task;
  const { ledger, spec, repository, project, agent } = order;
  switch (stage.name) {
    case 'preparing':
      yield perform('prepare', PREPARE_KEY, { ledger, spec, repository, worklog: order.worklog });
      return;
    case 'queued':
      yield { type: 'Admit', key: admitKey(task), lane: agent, rank: 0, pays: project, room: order.room };
      return;
    case 'pausing':
      yield { type: 'Wake', key: `wake-${task.asked}`, atMs: stage.untilMs };
      return;
    case 'parked':
      yield { type: 'Afford', key: `afford-${task.asked}`, project };
      return;
    case 'asking':
      yield ask(task, stage.deadlineMs);
      return;
    case 'approving': {
      const title = `${spec.task_id} asks whether it may ${wantedWords(stage.wanted)}`;
      if (!stage.notified) yield { type: 'Notify', key: `notify-${stage.question}`, title };
      return;
    }
    case 'collecting':
      if (order.planning !== undefined) yield perform('plan', COLLECT_KEY, { ledger, answer: stage.answer });
      else if (workspace) yield perform('collect', COLLECT_KEY, { ledger, spec, workspace, answer: stage.answer });
      return;
    case 'stopping':
      yield perform('spent', SPENT_KEY, { handoff: HANDOFF, attempt: task.asked });
      return;
    case 'reporting':
      yield { type: 'Tell', key: REPORT_KEY, run: ledger, command: reportOf(stage.report) };
      return;
    case 'ended':
      return;
    default:
      unreachable(stage);
  }
}

function reportOf(report: TaskReport | PlanReport): { type: string } {
  return { type: 'plan' in report ? 'TakePlan' : 'Report', ...report };
}

function ask({ order, asked, thread, verdict }: LiveTask, deadlineMs: number): Effect {
  const { ledger, spec, objective, context, othersLocks, agent } = order;
  const from: PacketFacts = { ledger, spec, objective, context, othersLocks };
  const composer = order.planning === undefined ? TASK_COMPOSER : PLAN_COMPOSER;
  return {
    ...{ type: 'Ask', key: HANDOFF, agent, lane: agent, attempt: asked, deadlineMs },
    request: { composer, from },
    silence: { maxMs: silenceMs(spec), beat: { run: ledger, task: spec.task_id } },
    ...(thread !== null && { thread }),
    ...(verdict && { verdict }),
  };
}

function perform<Deed extends keyof TaskDeeds>(deed: Deed, key: string, input: TaskDeeds[Deed]['input']): Effect {
  return { type: 'Perform', key, deed: `task.${deed}`, input };
}

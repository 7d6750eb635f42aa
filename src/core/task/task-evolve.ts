import { addSpent } from '../kernel/budget.js';
import { addUsage, type Usage } from '../kernel/effect.js';
import { unreachable } from '../kernel/unreachable.js';
import type { TaskEvent } from './task-messages.js';
import { beginTask, type LiveTask, type TaskRun, type TaskStage } from './task-state.js';

export function evolveTask(run: TaskRun, event: TaskEvent): TaskRun {
  if (event.type === 'TaskBegun') return beginTask(event.order);
  if (run.status === 'new') throw new Error(`${event.type} before the task began`);
  return evolve(run, event);
}

function evolve(task: LiveTask, event: Exclude<TaskEvent, { type: 'TaskBegun' }>): LiveTask {
  switch (event.type) {
    case 'WorkspacePrepared': {
      const { folder, branch, base } = event;
      return { ...task, workspace: { folder, branch, base }, stage: { name: 'queued' } };
    }
    case 'HandoffAsked':
      return at(
        { ...task, asked: event.attempt, spent: addSpent(task.spent, { asks: 1 }) },
        { name: 'asking', deadlineMs: event.deadlineMs, askedAtMs: event.atMs },
      );
    case 'HandoffParked':
      return at(task, { name: 'parked', untilMs: event.untilMs });
    case 'HandoffUnparked':
    case 'PauseEnded':
      return at(task, { name: 'queued' });
    case 'HandoffAnswered': {
      const spent = spend(task, event.usage, event.atMs);
      return at({ ...spent, verdict: null }, { name: 'collecting', answer: event.answer });
    }
    case 'HandoffCollected': {
      const { reported } = event.reading;
      // Its own word counts where nobody else has counted.
      return reported && isNothing(task.usage) ? spend(task, reported, null) : task;
    }
    case 'HandoffEnded': {
      const spent = spend(task, event.usage, event.atMs);
      const thread = event.thread ?? task.thread;
      if (event.againMs === null) return { ...spent, thread };
      const again: TaskStage =
        event.againMs > event.atMs ? { name: 'pausing', untilMs: event.againMs } : { name: 'queued' };
      const repeats = event.cause === 'network' ? task.repeats + 1 : 0;
      return at({ ...spent, thread, repeats }, again);
    }
    case 'ApprovalAsked': {
      const { wanted, question } = event;
      return at({ ...task, questions: question, repeats: 0 }, { name: 'approving', wanted, question, notified: false });
    }
    case 'ApprovalAnswered':
      return at({ ...task, verdict: event.verdict }, { name: 'queued' });
    case 'StewardNotified':
      return task.stage.name === 'approving' ? at(task, { ...task.stage, notified: true }) : task;
    case 'TaskStopping':
      return at(task, { name: 'stopping', reason: event.reason });
    case 'TaskReported':
      return at(task, { name: 'reporting', report: event.report });
    case 'TaskEnded':
      return at(task, { name: 'ended', end: event.end });
    default:
      return unreachable(event);
  }
}

function at(task: LiveTask, stage: TaskStage): LiveTask {
  return { ...task, stage };
}

/** Time is counted while an agent is asked. */
function spend(task: LiveTask, used: Usage, endedMs: number | null): LiveTask {
  const { stage } = task;
  const activeMs = stage.name === 'asking' && endedMs !== null ? Math.max(0, endedMs - stage.askedAtMs) : 0;
  const { costMicroUsd, inputTokens, outputTokens } = used;
  return {
    ...task,
    usage: addUsage(task.usage, used),
    spent: addSpent(task.spent, { costMicroUsd, tokens: inputTokens + outputTokens, activeMs }),
  };
}

export function isNothing({ inputTokens, outputTokens, costMicroUsd }: Usage): boolean {
  return inputTokens + outputTokens + costMicroUsd === 0;
}

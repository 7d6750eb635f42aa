import type { PlanTask } from '../../src/contracts/generated/types/plan.js';

/** A task that wants `src`, and proves one criterion. */
export function planTask(task_id: string, more: Partial<PlanTask> = {}): PlanTask {
  return {
    ...{ task_id, title: `Do ${task_id}`, type: 'parallelizable', dependencies: [], lock_scope: ['src'] },
    ...{ forbidden_scope: [], acceptance_criteria: [`${task_id} is done`], worklog_path: `worklogs/${task_id}.jsonl` },
    ...{ timeout_seconds: 30, heartbeat_interval_seconds: 10 },
    ...more,
  };
}

export function planOf(run_id: string, ...tasks: readonly PlanTask[]): object {
  return { schema_version: '1.0.0', run_id, global_objective: 'All of it', tasks };
}

/** What a sub-agent says that has changed these files and is done. */
export function doneResult(run_id: string, task: PlanTask, ...files: readonly string[]): object {
  const { task_id, worklog_path, acceptance_criteria } = task;
  return {
    ...{ schema_version: '1.0.0', run_id, task_id, status: 'done', worklog_path, notes_for_orchestrator: [] },
    changes: files.map((resource) => ({ resource, action: 'create', evidence: 'written' })),
    acceptance_check: acceptance_criteria.map((criterion) => ({ criterion, status: 'pass', evidence: 'seen' })),
  };
}

import { randomUUID } from 'node:crypto';

/** A plan of tasks that each write one file, as programs send it; `changes` go into its first task. */
export function planOf(tasks: number, changes: object = {}) {
  const task = (number: number) => ({
    ...{ task_id: `T-${number}`, title: `Write file ${number}`, type: 'parallelizable' as const },
    ...{ dependencies: [] as string[], lock_scope: [`src/f${number}.txt`], forbidden_scope: ['secrets/'] },
    ...{ acceptance_criteria: [`f${number} is there`], worklog_path: `worklogs/T-${number}.jsonl` },
    ...{ timeout_seconds: 60, heartbeat_interval_seconds: 10 },
    ...(number === 1 && changes),
  });
  return {
    ...{ schema_version: '1.0.0', run_id: randomUUID(), global_objective: 'Write files' },
    tasks: Array.from({ length: tasks }, (_, index) => task(index + 1)),
  };
}

/** What a worker says who has done a task of such a plan. */
export function resultOf(run: string, number: number, changes: object = {}) {
  return {
    ...{ schema_version: '1.0.0', run_id: run, task_id: `T-${number}`, status: 'done' },
    changes: [{ resource: `src/f${number}.txt`, action: 'created', evidence: 'git show' }],
    acceptance_check: [{ criterion: `f${number} is there`, status: 'pass', evidence: 'ls' }],
    ...{ worklog_path: `worklogs/T-${number}.jsonl`, notes_for_orchestrator: [] as string[] },
    ...changes,
  };
}

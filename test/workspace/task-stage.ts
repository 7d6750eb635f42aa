import { existsSync } from 'node:fs';
import path from 'node:path';
import type { PlanTask } from '../../src/contracts/generated/types/plan.js';
import type { DeedProblem, Workspace } from '../../src/core/job/job-deeds.js';
import type { LedgerDeeds, Merge, TaskDeeds, TaskReading } from '../../src/core/task/task-deeds.js';
import { taskRun } from '../../src/core/task/task-order.js';
import { createTaskDeeds } from '../../src/workspace/task/create-task-deeds.js';
import { Stage } from './stage.js';

export const LEDGER = '6f1c2d3e-4a5b-4c6d-8e7f-0a1b2c3d4e5f';
export const BRANCH = `baton/${LEDGER}`;

type Deeds = {
  [Name in keyof TaskDeeds as `task.${Name}`]: TaskDeeds[Name];
} & { [Name in keyof LedgerDeeds as `ledger.${Name}`]: LedgerDeeds[Name] };

/** A user with a repository, and attempts at tasks of one ledger. */
export class TaskStage extends Stage {
  spec(more: Partial<PlanTask> = {}): PlanTask {
    const task_id = more.task_id ?? 'T-1';
    return {
      task_id,
      title: `Task ${task_id}`,
      type: 'parallelizable',
      dependencies: [],
      lock_scope: ['src'],
      forbidden_scope: [],
      acceptance_criteria: ['it works'],
      worklog_path: `worklogs/${task_id}.jsonl`,
      timeout_seconds: 60,
      heartbeat_interval_seconds: 10,
      ...more,
    };
  }

  async deed<Name extends keyof Deeds>(name: Name, input: Deeds[Name]['input'], key: string = name) {
    const store = { body: async (sha256: string) => this.bodies.get(sha256), heard: async () => new Map() };
    const deeds = createTaskDeeds({ ...this.options, store });
    const effect = { type: 'Perform', key, deed: name, input } as const;
    const { result, bodies = [] } = await deeds.perform(this.held, effect, this.abort.signal);
    for (const { sha256, bytes } of bodies) this.bodies.set(sha256, bytes);
    return result as Deeds[Name]['result'];
  }

  /** Turns to an attempt: from here on its workspace is meant. */
  begin(spec: PlanTask, { attempt = 1, worklog = '' } = {}) {
    this.run = taskRun(LEDGER, spec.task_id, attempt);
    const begins = worklog === '' ? [] : [this.store(worklog)];
    const repository = { folder: this.repo };
    return this.deed('task.prepare', { ledger: LEDGER, spec, repository, worklog: begins });
  }

  async begun(spec: PlanTask, more: { attempt?: number; worklog?: string } = {}): Promise<Workspace> {
    const prepared = await this.begin(spec, more);
    if (!('folder' in prepared)) throw new Error(JSON.stringify(prepared));
    return prepared;
  }

  answer(spec: PlanTask, more: object = {}): object {
    return {
      schema_version: '1.0.0',
      run_id: LEDGER,
      task_id: spec.task_id,
      status: 'done',
      changes: [],
      acceptance_check: spec.acceptance_criteria.map((criterion) => ({ criterion, status: 'pass', evidence: 'seen' })),
      worklog_path: spec.worklog_path,
      notes_for_orchestrator: [],
      ...more,
    };
  }

  async hand(spec: PlanTask, answer: object | string = this.answer(spec)): Promise<TaskReading> {
    const read = await this.handIn(spec, answer);
    if ('problem' in read) throw new Error(read.problem);
    return read;
  }

  handIn(spec: PlanTask, answer: object | string): Promise<TaskReading | DeedProblem> {
    const text = typeof answer === 'string' ? answer : JSON.stringify(answer);
    const input = { ledger: LEDGER, spec, workspace: this.place, answer: this.store(text) };
    return this.deed('task.collect', input);
  }

  /** One attempt from its beginning to what can be merged. */
  async attempt(spec: PlanTask, files: Readonly<Record<string, string>>, attempt = 1): Promise<Merge> {
    const { base } = await this.begun(spec, { attempt });
    for (const [file, text] of Object.entries(files)) this.work(file, text);
    const { outcome, commit } = await this.hand(spec);
    if (outcome.status !== 'done' || commit === null) throw new Error(JSON.stringify(outcome));
    return { task: spec.task_id, attempt, title: spec.title, agent: 'worker', base: base ?? '', commit };
  }

  merge(...merges: Merge[]) {
    this.run = LEDGER;
    return this.deed('ledger.merge', { repository: { folder: this.repo }, merges });
  }

  async merged(...merges: Merge[]) {
    const result = await this.merge(...merges);
    if ('problem' in result) throw new Error(result.problem);
    return result.merged;
  }

  entry(more: object = {}): string {
    return JSON.stringify({
      timestamp: '2026-01-01T00:00:00.000Z',
      run_id: LEDGER,
      task_id: 'T-1',
      actor: 'worker',
      action: 'edited',
      files_touched: [],
      decision: 'do it',
      result: 'it was done',
      next_step: 'none',
      ...more,
    });
  }

  refs(): string[] {
    return this.git('for-each-ref', '--format=%(refname)').split('\n');
  }

  isIn(file: string): boolean {
    return existsSync(path.join(this.repo, file));
  }
}

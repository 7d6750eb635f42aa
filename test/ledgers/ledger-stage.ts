import { randomUUID } from 'node:crypto';
import { chmodSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { LedgerObject, LedgerTask } from '../../src/contracts/api/ledger-shapes.js';
import type { PlanTask } from '../../src/contracts/generated/types/plan.js';
import type { LedgerEvent } from '../../src/core/ledger/ledger-messages.js';
import { JobStage } from '../jobs/job-stage.js';

const AGENT = `#!/usr/bin/env node
import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { execFileSync } from 'node:child_process';
import path from 'node:path';
const packet = JSON.parse(readFileSync(0, 'utf8'));
const { run_id, task = {} } = packet;
const { task_id } = task;
const result = (more = {}) => console.log(JSON.stringify({
  schema_version: '1.0.0', run_id, task_id, status: 'done', changes: [],
  acceptance_check: task.acceptance_criteria.map((criterion) => ({ criterion, status: 'pass', evidence: 'seen' })),
  worklog_path: task.worklog_path, notes_for_orchestrator: [], ...more,
}));
const entry = (more = {}) => JSON.stringify({
  timestamp: new Date().toISOString(), run_id, task_id, actor: 'agent', action: 'edit', files_touched: [],
  decision: 'do it', result: 'done', next_step: 'none', ...more,
}) + '\\n';
const log = (more) => appendFileSync(process.env.BATON_WORKLOG, entry(more));
const nap = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
`;

/** A repository, a ledger, and agents that are small programs given their task. */
export class LedgerStage extends JobStage {
  run: string = randomUUID();

  /** The body of a program that knows \`packet\`, \`task\`, \`result(more)\`, \`log(more)\` and \`nap(ms)\`. */
  async agent(id: string, body: string): Promise<void> {
    const file = path.join(this.folder, `${id}.mjs`);
    writeFileSync(file, `${AGENT}\n${body}\n`);
    chmodSync(file, 0o755);
    await this.ok('agent', 'register', id, '--adapter', 'command', '--command', `${process.execPath} ${file}`);
  }

  task(number: number, lock_scope: string[], more: Partial<PlanTask> = {}): PlanTask {
    return {
      ...{ task_id: `T-${number}`, title: `Part ${number}`, type: 'parallelizable', dependencies: [] },
      ...{ lock_scope: lock_scope as PlanTask['lock_scope'], forbidden_scope: [], acceptance_criteria: ['it holds'] },
      ...{ worklog_path: `worklogs/T-${number}.jsonl`, timeout_seconds: 60, heartbeat_interval_seconds: 10 },
      ...more,
    };
  }

  plan(tasks: readonly PlanTask[], more: object = {}): string {
    const file = path.join(this.folder, 'plan.json');
    const plan = { schema_version: '1.0.0', run_id: this.run, global_objective: 'Do all of it', tasks, ...more };
    writeFileSync(file, JSON.stringify(plan));
    return file;
  }

  /** A payload in a file, for commands that take one. */
  payload(name: string, value: unknown): string {
    const file = path.join(this.folder, name);
    writeFileSync(file, typeof value === 'string' ? value : JSON.stringify(value));
    return file;
  }

  result(task: PlanTask, more: object = {}): object {
    return {
      ...{ schema_version: '1.0.0', run_id: this.run, task_id: task.task_id, status: 'done', changes: [] },
      acceptance_check: task.acceptance_criteria.map((criterion) => ({ criterion, status: 'pass', evidence: 'seen' })),
      ...{ worklog_path: task.worklog_path, notes_for_orchestrator: [], ...more },
    };
  }

  async operator(...argv: string[]): Promise<{ exit: number; printed: LedgerObject & { code?: string } }> {
    const { exit, printed } = await this.json('operator', ...argv);
    return { exit, printed: printed as unknown as LedgerObject };
  }

  async ledger(): Promise<LedgerObject> {
    return (await this.operator('ledger', this.run)).printed;
  }

  async events(): Promise<LedgerEvent[]> {
    const { printed } = await this.json('events', '--run', this.run, '--limit', '10000');
    const items = printed.items as { type: string; data: object }[];
    return items.map(({ type, data }) => ({ ...data, type }) as LedgerEvent);
  }

  /** Files that each commit of the branch has changed, by its task. */
  changedByTask(): Map<string, string[]> {
    const format = '--format=@%(trailers:key=Baton-Task,valueonly,separator=%x20)';
    const text = this.git('log', '--reverse', '--name-only', format, `main..baton/${this.run}`);
    const found = new Map<string, string[]>();
    for (const commit of text.split('@').slice(1)) {
      const [task = '', ...files] = commit.split('\n').map((line) => line.trim());
      found.set(task, [...(found.get(task) ?? []), ...files.filter(Boolean)]);
    }
    return found;
  }
}

/** Who was at work together with whom, as the journal has it. */
export function atWorkTogether(events: readonly LedgerEvent[]): [string, string][] {
  const active = new Set<string>();
  const pairs: [string, string][] = [];
  for (const event of events) {
    if (event.type === 'TaskAssigned') {
      for (const other of active) pairs.push([other, event.task]);
      active.add(event.task);
    }
    if (event.type === 'TaskMoved' || event.type === 'TaskRequeued') active.delete(event.task);
  }
  return pairs;
}

export function statuses(tasks: readonly LedgerTask[]): Record<string, string> {
  return Object.fromEntries(tasks.map(({ task_id, status }) => [task_id, status]));
}

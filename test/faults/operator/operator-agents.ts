import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { WORK } from '../jobs/job-agents.js';
import { type Duty, lineOf, type OperatorPlan } from './operator-plan.js';

export type Said = { what: 'began' | 'overlap' | 'early'; handoff: string; more: string };

/**
 * Sub-agents that are shell scripts. Each says in a common file that it began, and which of the work it depends on is
 * not there, and holds a lock of its attempt while it or anything it started lives.
 */
export class OperatorAgents {
  /** Has the token in its name, so that everything an agent starts is found by it. */
  private readonly folder: string;
  private readonly calls: string;

  constructor(folder: string, token: string, { plan, duties }: OperatorPlan) {
    this.folder = path.join(folder, `agents-${token}`);
    this.calls = path.join(folder, 'calls');
    for (const name of ['locks', 'duties', 'needs']) mkdirSync(path.join(this.folder, name), { recursive: true });
    writeFileSync(this.calls, '');
    for (const { task_id, dependencies, worklog_path, acceptance_criteria } of plan.tasks) {
      const duty = duties.get(task_id) as Duty;
      const needs = dependencies.map((needed) => `${duties.get(needed)?.own}\n`).join('');
      writeFileSync(path.join(this.folder, 'needs', task_id), needs);
      const answer = resultOf(plan.run_id, duty, worklog_path, acceptance_criteria);
      const lines = [...doing(plan.run_id, duty), `echo '${JSON.stringify(answer)}'`];
      writeFileSync(path.join(this.folder, 'duties', task_id), `${lines.join('\n')}\n`);
    }
    for (const [name, work] of Object.entries(WORK)) this.write(name, token, work);
  }

  command(name: string): string {
    return path.join(this.folder, `${name}.sh`);
  }

  /** Everything they wrote down, in its order. */
  said(): Said[] {
    const lines = readFileSync(this.calls, 'utf8').trim().split('\n').filter(Boolean);
    return lines.map((line) => {
      const [what, handoff = '', more = ''] = line.split(' ');
      return { what: what as Said['what'], handoff, more };
    });
  }

  hasBegun(handoff: string): boolean {
    return readFileSync(this.calls, 'utf8').includes(`began ${handoff}\n`);
  }

  private write(name: string, token: string, work: string): void {
    const lines = [
      '#!/bin/sh',
      `NAP=300.${token}`,
      'cat >/dev/null',
      'TASK=$(echo "$BATON_RUN" | cut -d. -f2)',
      `exec 9>"${this.folder}/locks/$BATON_RUN"`,
      `flock -n 9 || echo "overlap $BATON_HANDOFF" >>"${this.calls}"`,
      `echo "began $BATON_HANDOFF" >>"${this.calls}"`,
      `while read -r NEEDED; do [ -f "$NEEDED" ] || echo "early $BATON_HANDOFF $NEEDED" >>"${this.calls}"; done <"${this.folder}/needs/$TASK"`,
      work,
      `. "${this.folder}/duties/$TASK"`,
    ];
    writeFileSync(this.command(name), `${lines.join('\n')}\n`);
    chmodSync(this.command(name), 0o755);
  }
}

/** May be done again by whoever is asked after somebody was lost in the middle of it. */
function doing(run_id: string, { task, own, shared }: Duty): string[] {
  const line = lineOf(task).trim();
  const entry = {
    ...{ timestamp: '2026-01-01T00:00:00.000Z', run_id, task_id: task, actor: 'shell', action: 'write' },
    ...{ files_touched: [own, ...shared], decision: 'as told', result: 'written', next_step: 'none' },
  };
  return [
    ...[own, ...shared].map((file) => `mkdir -p "${path.posix.dirname(file)}"`),
    `echo "${line}" >"${own}"`,
    ...shared.map((file) => `grep -qsx "${line}" "${file}" || echo "${line}" >>"${file}"`),
    `echo '${JSON.stringify(entry)}' >>"$BATON_WORKLOG"`,
  ];
}

function resultOf(run_id: string, { task, own, shared }: Duty, worklog_path: string, criteria: readonly string[]) {
  return {
    ...{ schema_version: '1.0.0', run_id, task_id: task, status: 'done', worklog_path, notes_for_orchestrator: [] },
    changes: [own, ...shared].map((resource) => ({ resource, action: 'edit', evidence: 'written' })),
    acceptance_check: criteria.map((criterion) => ({ criterion, status: 'pass', evidence: 'seen' })),
  };
}

import type { ContextItem, PlanTask } from '../../contracts/generated/types/plan.js';
import type { Limits } from '../kernel/budget.js';
import type { BodyRef } from '../kernel/effect.js';

/** One attempt at one task of a ledger: what it is, who does it, and where. */
export type TaskOrder = {
  /** The run of the ledger, which is told what became of it. */
  ledger: string;
  spec: PlanTask;
  attempt: number;
  agent: string;
  objective: string;
  context: readonly ContextItem[];
  /** Paths that others have; the beginning of them when they are many. */
  othersLocks: readonly { task: string; resource: string }[];
  /** Lines of the worklog before this attempt. */
  worklog: readonly BodyRef[];
  repository: { folder: string };
  project: string;
  /** Names of environment variables that are passed on. */
  env: readonly string[];
  /** Hosts that the agent may reach from inside a sandbox. */
  network: readonly string[];
  limits: Limits;
  /** It is asked for a plan instead, so many-th: then `spec` says only where it may write. */
  planning?: number;
  /** How many of the ledger may be at work at once. */
  room: number;
};

export const PLAN_PART = 'plan';

/** Every attempt has a run of its own, and with it a workspace, handoffs and a log. */
export function taskRun(ledger: string, task: string, attempt: number): string {
  return `${ledger}.${task}.${attempt}`;
}

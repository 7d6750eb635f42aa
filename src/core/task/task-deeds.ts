import type { Delta } from '../../contracts/generated/types/orchestrator-output.js';
import type { PlanTask } from '../../contracts/generated/types/plan.js';
import type { ErrorCode } from '../../contracts/shared/errors.js';
import type { DeedProblem, Workspace } from '../job/job-deeds.js';
import type { BodyRef, Usage } from '../kernel/effect.js';

/** What was made of the answer of a sub-agent, held against its assignment, its diff and its worklog. */
export type TaskReading = {
  /** What it comes to; a result that does not hold is failed with the code that says why. */
  outcome:
    | { status: 'done' }
    | { status: 'blocked' | 'failed'; code: ErrorCode; reason: string; retryAfterMs?: number };
  /** Its work on top of `base`; null when there is none that counts. */
  commit: string | null;
  /** Files that differ, as git sees them. */
  changed: { files: number; added: number; removed: number };
  /** The result as it was sent, without secrets; null when it could not be read. */
  result: BodyRef | null;
  /** The lines the agent added to its worklog, valid ones only, without secrets; null without any. */
  worklog: BodyRef | null;
  /** Of the criteria of the assignment, how many are proven. */
  proven: number;
  reported: Usage | null;
  warnings: readonly string[];
};

/** What a task asks of the world by `Perform`, as `task.<name>`. All can be done again from their beginning. */
export type TaskDeeds = {
  /** A workspace of its own on the tip of the ledger's branch, to be written only inside lock_scope. */
  prepare: {
    input: {
      ledger: string;
      spec: PlanTask;
      repository: { folder: string };
      /** What its copy of the worklog begins with. */
      worklog: readonly BodyRef[];
    };
    result: (Workspace & { notes: readonly string[]; sandbox?: string }) | DeedProblem | { refused: string };
  };
  collect: {
    input: { ledger: string; spec: PlanTask; workspace: Workspace; answer: BodyRef };
    result: TaskReading | DeedProblem;
  };
  /** What a try that was ended in the middle had used. */
  spent: { input: { handoff: string; attempt: number }; result: { usage: Usage } };
  /** Instead of collecting, where a plan was asked for. */
  plan: {
    input: { ledger: string; answer: BodyRef };
    result: PlanReading | DeedProblem;
  };
};

/** What was made of the answer of an orchestrator. */
export type PlanOutcome =
  | { status: 'planned'; tasks: readonly PlanTask[]; deltas: readonly Delta[] }
  | { status: 'failed'; code: ErrorCode; reason: string };
export type PlanReading = { outcome: PlanOutcome; reported: Usage | null; warnings: readonly string[] };

/** Work of a task that waits to be brought into the ledger's branch. */
export type Merge = {
  task: string;
  attempt: number;
  title: string;
  agent: string;
  /** What it began with, and what it came to. */
  base: string;
  commit: string;
};
export type Merged = { task: string; attempt: number } & ({ commit: string } | { conflicts: readonly string[] });

/** What a ledger asks of the world by `Perform`, as `ledger.<name>`. */
export type LedgerDeeds = {
  /** When each of its tasks was heard of last. */
  beats: { input: { run: string }; result: { beats: Readonly<Record<string, number>> } };
  /** In their order; one commit each on `baton/<run>`. What was merged by an earlier try is found and not merged again. */
  merge: {
    input: { repository: { folder: string }; merges: readonly Merge[] };
    result: { merged: readonly Merged[] } | DeedProblem;
  };
};

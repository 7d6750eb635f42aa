import type { BodyRef, Usage } from '../kernel/effect.js';
import type { AnswerFault } from './job-matrix.js';
import type { JobOrder } from './job-order.js';
import type { Action } from './job-status.js';

/** Why a deed cannot be done until a person has acted. What may pass by itself is tried again instead. */
export type DeedProblem = {
  problem: string;
  kind: 'workspace' | 'disk-full';
  /** What the answer that could not be looked at says it used: it was paid for all the same. */
  reported?: Usage | null;
};

/** The folder an agent works in, once it is there. */
export type Workspace = {
  folder: string;
  /** Null without a repository. */
  branch: string | null;
  /** The commit it began with. */
  base: string | null;
};

export type Prepared =
  | (Workspace & {
      setupMs: number;
      /** Files changed in the user's tree that are not in it. */
      leftOut: number;
      /** What a person should know about it. */
      notes: readonly string[];
      /** What keeps agents and checks apart from the machine; absent is nothing. */
      sandbox?: string;
      /** What kept setup apart: a mode, `none`, or `danger-full-access` by the user's choice; absent without setup. */
      setupSandbox?: string;
    })
  | { problem: string; output: BodyRef | null };

export type EvidenceFile = { path: string; bytes: number; modifiedAt: string; sha256: string };

/** What was made of an answer: what it says, what is wrong with it, and what is in the workspace. */
export type Reading = {
  action: Action | null;
  /** The first fault decides. */
  fault: { kind: AnswerFault; reason: string } | null;
  /** Text around the object, which was taken away. */
  violation: string | null;
  summary: BodyRef | null;
  evidence: readonly EvidenceFile[];
  /** All of `Inventory`, when it is more than an event holds; then the lists here are their beginnings. */
  whole?: BodyRef;
  missing: readonly string[];
  /** Changed since the last handoff and not named as evidence. */
  unnamed: readonly string[];
  changed: { files: number; added: number; removed: number };
  /** Said by the agent itself in x_usage. */
  reported: Usage | null;
  warnings: readonly string[];
  /** What the next try is told when this answer is turned down. */
  advice: BodyRef | null;
  /** The workspace as the handoff left it. */
  commit: string | null;
};

/** What was found in the workspace, complete. */
export type Inventory = Pick<Reading, 'evidence' | 'missing' | 'unnamed' | 'warnings'>;

export type CheckResult = { argv: readonly string[]; exitCode: number | null; ms: number; output: BodyRef };
export type CheckedWork = {
  results: readonly CheckResult[];
  /** Protected files that differ from the base. */
  protectedChanged: readonly string[];
  /** What failed, in words for the next try; null when all passed. */
  guidance: BodyRef | null;
};

/** What this machine asks of the world by `Perform`, and what comes back. All can be done again. */
export type JobDeeds = {
  prepare: {
    input: Pick<JobOrder, 'repository' | 'setup' | 'env' | 'forkedFrom'> & {
      /** How it was before, when it has to be made sure that it is still there. */
      before: { base: string | null; commit: string | null } | null;
    };
    result: Prepared;
  };
  collect: {
    input: {
      workspace: Workspace;
      answer: BodyRef;
      handoff: string;
      phase: string;
      /** An answer by hand is taken as it is, without looking for an object in a text. */
      exact: boolean;
    };
    result: Reading | DeedProblem;
  };
  check: {
    input: {
      workspace: Workspace;
      handoff: string;
      checks: readonly (readonly string[])[];
      protect: readonly string[];
      env: readonly string[];
    };
    result: CheckedWork | DeedProblem;
  };
  restore: {
    input: { workspace: Workspace; commit: string; files: readonly string[] };
    result: { restored: number; problem: string | null };
  };
};

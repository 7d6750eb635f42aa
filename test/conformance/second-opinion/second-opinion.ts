/**
 * A second implementation of every check of contract 003, written from the documents. It is slow and obvious, shares
 * no code with src/, and exists to disagree: wherever the two differ, one of them is wrong.
 *
 * Where no document fixes the order of checks, the order is: form, unknown fields (strict), then the rules.
 */

import { assignmentOpinion, type Packet } from './assignment.js';
import { ledgerDeltaOpinion, ledgerDeltaShape } from './deltas.js';
import { DOCUMENTED_CODES } from './documented-codes.js';
import { handoffBundleOpinion, handoffBundleShape } from './handoff-bundle.js';
import { lockTableOpinion, lockTableShape } from './locks.js';
import { orchestratorOutputOpinion, orchestratorOutputShape } from './orchestrator-output.js';
import { planOpinion, planShape } from './plan.js';
import { reconcileOpinion, reconcileShape } from './reconcile.js';
import { type Code, type Finding, first, type Shape, unless } from './shapes.js';
import { againstAssignment, type Result, subagentResultOpinion, subagentResultShape } from './subagent-result.js';
import { watchdogOpinion, watchdogShape } from './watchdog.js';
import { worklogEntryOpinion, worklogEntryShape } from './worklog-entry.js';

export type Opinion = Code | 'OK';

/** Fields in, finding out; `codes` are those a blocker may name. */
type Rules = (value: never, strict: boolean, codes: ReadonlySet<string>) => Finding;

const CONTRACTS = {
  'orchestrator-output': [orchestratorOutputShape, orchestratorOutputOpinion],
  'subagent-result': [subagentResultShape, subagentResultOpinion],
  'worklog-entry': [worklogEntryShape, (value, _, codes) => worklogEntryOpinion(value, codes)],
  'handoff-bundle': [handoffBundleShape, (value, _, codes) => handoffBundleOpinion(value, codes)],
  'ledger-delta': [ledgerDeltaShape, ledgerDeltaOpinion],
  locks: [lockTableShape, lockTableOpinion],
  reconcile: [reconcileShape, reconcileOpinion],
  watchdog: [watchdogShape, watchdogOpinion],
  plan: [planShape, planOpinion],
} as const satisfies Record<string, readonly [Shape, Rules]>;

export type OperatorContract = 'assignment' | keyof typeof CONTRACTS;
export const OPERATOR_CONTRACTS = ['assignment', ...Object.keys(CONTRACTS)] as readonly OperatorContract[];

export function secondOpinion(
  contract: OperatorContract,
  value: unknown,
  strict: boolean,
  codes: ReadonlySet<string> = DOCUMENTED_CODES,
): Opinion {
  if (contract === 'assignment') return assignmentOpinion(value, strict) ?? 'OK';
  const [shape, rules] = CONTRACTS[contract] as readonly [Shape, Rules];
  const found = first(
    () => shape.problem(value),
    () => (strict ? unless(!shape.hasUnknown(value), 'SCHEMA_INVALID') : undefined),
    () => rules(value as never, strict, codes),
  );
  return found ?? 'OK';
}

/** Both payloads are valid by themselves. */
export function secondOpinionAgainst(result: unknown, assignment: unknown): Opinion {
  return againstAssignment(result as Result, assignment as Packet) ?? 'OK';
}

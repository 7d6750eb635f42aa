/** `baton/contracts`: types, validators and schemas of all contracts. Nothing here needs Node. */

export { CONTRACTS } from './catalogue.js';
export { CONTRACT_NAMES, type ContractName, isContractName } from './contract-names.js';
export { fromStateDict, toStateDict } from './envelope/state-dict.js';
export type { AgentRegistration } from './generated/types/agent.js';
export type { AgentQuery } from './generated/types/agent-query.js';
export type { AgentRequest } from './generated/types/agent-request.js';
export type { AgentRequest000 } from './generated/types/agent-request-000.js';
export type { AgentResponse } from './generated/types/agent-response.js';
export type { Assignment } from './generated/types/assignment.js';
export type { BridgeResponse } from './generated/types/bridge-response.js';
export type { CheckpointState } from './generated/types/checkpoint-state.js';
export type { ConfigFile } from './generated/types/config.js';
export type { CoRTOptions } from './generated/types/cort-options.js';
export type { CoRTReasoningTree } from './generated/types/cort-reasoning-tree.js';
export type { Envelope } from './generated/types/envelope.js';
export type { EnvelopeError } from './generated/types/envelope-error.js';
export type { EnvelopeOrderBody } from './generated/types/envelope-order.js';
export type { SessionEvent } from './generated/types/event.js';
export type { HandoffBundle } from './generated/types/handoff-bundle.js';
export type { HandoffClaimBody } from './generated/types/handoff-claim.js';
export type { HandoffReportBody } from './generated/types/handoff-report.js';
export type { InboxAnswerBody } from './generated/types/inbox-answer.js';
export type { JobActBody } from './generated/types/job-act.js';
export type { JobHistory } from './generated/types/job-history.js';
export type { JobManifest } from './generated/types/job-manifest.js';
export type { JobOrderBody } from './generated/types/job-order.js';
export type { LifecycleEvent } from './generated/types/lifecycle-event.js';
export type { LifecycleTransition } from './generated/types/lifecycle-transition.js';
export type { LockTable } from './generated/types/locks.js';
export type { OrchestratorOutput } from './generated/types/orchestrator-output.js';
export type { Pipeline } from './generated/types/pipeline.js';
export type { Plan } from './generated/types/plan.js';
export type { PricesFile } from './generated/types/prices.js';
export type { ProcessingRecord } from './generated/types/processing-record.js';
export type { ProjectFile } from './generated/types/project.js';
export type { ReconcileInput } from './generated/types/reconcile.js';
export type { RecoveryPoint } from './generated/types/recovery-point.js';
export type { RuleOrderBody } from './generated/types/rule-order.js';
export type { Scenario } from './generated/types/scenario.js';
export type { CriticOutput } from './generated/types/stage-critic.js';
export type { ExecutionOutput } from './generated/types/stage-execution.js';
export type { IntegrationOutput } from './generated/types/stage-integration.js';
export type { IntentOutput } from './generated/types/stage-intent.js';
export type { PerceptionOutput } from './generated/types/stage-perception.js';
export type { PlanOutput } from './generated/types/stage-plan.js';
export type { SubAgentSpec } from './generated/types/sub-agent-spec.js';
export type { SubagentResult } from './generated/types/subagent-result.js';
export type { Submission } from './generated/types/submission.js';
export type { TokenOrderBody } from './generated/types/token-order.js';
export type { VerificationReport } from './generated/types/verification-report.js';
export type { Visualization } from './generated/types/visualization.js';
export type { WatchdogInput } from './generated/types/watchdog.js';
export type { WorklogEntry } from './generated/types/worklog-entry.js';
export { schemas } from './generated/validators/schemas.js';
export type { LedgerDeltaInput } from './operator/ledger-delta.js';
export {
  type AnyContract,
  type CheckOptions,
  type Contract,
  check,
  checkAgainst,
  checkText,
  parseContract,
} from './shared/contract.js';
export { BatonError, ERRORS, type ErrorCode, type ErrorObject } from './shared/errors.js';
export { readJson } from './shared/read-json.js';
export { isInside, overlaps, resourceOf, resourceProblem } from './shared/resource.js';
export type { Verdict } from './shared/verdict.js';

/** All contracts, loaded. The server, the library and the tests use this; the command line loads one at a time. */

import { agent } from './agent/agent.js';
import { agentQuery } from './agent/agent-query.js';
import { cortOptions } from './agent/cort-options.js';
import { cortReasoningTree } from './agent/cort-reasoning-tree.js';
import { lifecycleEvent } from './agent/lifecycle-event.js';
import { lifecycleTransition } from './agent/lifecycle-transition.js';
import { scenario } from './agent/scenario.js';
import { subAgentSpec } from './agent/sub-agent-spec.js';
import { verificationReport } from './agent/verification-report.js';
import { visualization } from './agent/visualization.js';
import { budgetOrder } from './api/budget-order.js';
import { envelopeOrder } from './api/envelope-order.js';
import { handoffClaim } from './api/handoff-claim.js';
import { handoffReport } from './api/handoff-report.js';
import { inboxAnswer } from './api/inbox-answer.js';
import { jobAct } from './api/job-act.js';
import { jobOrder } from './api/job-order.js';
import { ledgerAct } from './api/ledger-act.js';
import { ledgerOrder } from './api/ledger-order.js';
import { ruleOrder } from './api/rule-order.js';
import { tokenOrder } from './api/token-order.js';
import { config } from './baton/config.js';
import { prices } from './baton/prices.js';
import { project } from './baton/project.js';
import { verdict } from './baton/verdict.js';
import { agentRequest } from './bridge/agent-request.js';
import { bridgeResponse } from './bridge/bridge-response.js';
import { checkpointState } from './bridge/checkpoint-state.js';
import type { ContractName } from './contract-names.js';
import { envelope } from './envelope/envelope.js';
import { envelopeError } from './envelope/envelope-error.js';
import { pipeline } from './envelope/pipeline.js';
import { processingRecord } from './envelope/processing-record.js';
import { stageCritic } from './envelope/stage-critic.js';
import { stageExecution } from './envelope/stage-execution.js';
import { stageIntegration } from './envelope/stage-integration.js';
import { stageIntent } from './envelope/stage-intent.js';
import { stagePerception } from './envelope/stage-perception.js';
import { stagePlan } from './envelope/stage-plan.js';
import { agentRequest000 } from './job/agent-request-000.js';
import { agentResponse } from './job/agent-response.js';
import { jobHistory } from './job/job-history.js';
import { jobManifest } from './job/job-manifest.js';
import { recoveryPoint } from './job/recovery-point.js';
import { assignment } from './operator/assignment.js';
import { handoffBundle } from './operator/handoff-bundle.js';
import { ledgerDelta } from './operator/ledger-delta.js';
import { locks } from './operator/locks.js';
import { orchestratorOutput } from './operator/orchestrator-output.js';
import { plan } from './operator/plan.js';
import { reconcile } from './operator/reconcile.js';
import { subagentResult } from './operator/subagent-result.js';
import { watchdog } from './operator/watchdog.js';
import { worklogEntry } from './operator/worklog-entry.js';
import { event } from './session/event.js';
import { submission } from './session/submission.js';
import type { AnyContract } from './shared/contract.js';

export const CONTRACTS: Readonly<Record<ContractName, AnyContract>> = {
  'agent-request-000': agentRequest000,
  'agent-response': agentResponse,
  'job-manifest': jobManifest,
  'job-history': jobHistory,
  'recovery-point': recoveryPoint,
  'agent-request': agentRequest,
  'bridge-response': bridgeResponse,
  'checkpoint-state': checkpointState,
  envelope,
  pipeline,
  'stage-perception': stagePerception,
  'stage-intent': stageIntent,
  'stage-plan': stagePlan,
  'stage-execution': stageExecution,
  'stage-critic': stageCritic,
  'stage-integration': stageIntegration,
  'processing-record': processingRecord,
  'envelope-error': envelopeError,
  assignment,
  'orchestrator-output': orchestratorOutput,
  'subagent-result': subagentResult,
  'worklog-entry': worklogEntry,
  'handoff-bundle': handoffBundle,
  'ledger-delta': ledgerDelta,
  locks,
  reconcile,
  watchdog,
  plan,
  submission,
  event,
  agent,
  'agent-query': agentQuery,
  'sub-agent-spec': subAgentSpec,
  'lifecycle-transition': lifecycleTransition,
  'lifecycle-event': lifecycleEvent,
  'verification-report': verificationReport,
  'cort-options': cortOptions,
  'cort-reasoning-tree': cortReasoningTree,
  visualization,
  scenario,
  verdict,
  project,
  config,
  prices,
  'job-order': jobOrder,
  'job-act': jobAct,
  'inbox-answer': inboxAnswer,
  'envelope-order': envelopeOrder,
  'ledger-order': ledgerOrder,
  'ledger-act': ledgerAct,
  'budget-order': budgetOrder,
  'token-order': tokenOrder,
  'rule-order': ruleOrder,
  'handoff-claim': handoffClaim,
  'handoff-report': handoffReport,
};

import type { CommandSpec } from './command.js';
import { agentListSpec, agentRegisterSpec, agentShowSpec } from './specs/agent.js';
import { auditExportSpec, auditHeadSpec, auditShowSpec, auditVerifySpec } from './specs/audit.js';
import { bridgeSpecs } from './specs/bridge.js';
import { budgetSpecs } from './specs/budget.js';
import { completionSpec } from './specs/completion.js';
import { configGetSpec, configListSpec, configSetSpec } from './specs/config.js';
import { consoleSpec } from './specs/console.js';
import { costSpec } from './specs/cost.js';
import { doctorSpec } from './specs/doctor.js';
import { envelopeSpecs } from './specs/envelope.js';
import { eventsSpec } from './specs/events.js';
import { helpSpec } from './specs/help.js';
import { answerSpec, inboxSpec } from './specs/inbox.js';
import { initSpec } from './specs/init.js';
import { jobSpecs } from './specs/job.js';
import { notifySpecs } from './specs/notify.js';
import { operatorSpecs } from './specs/operator.js';
import { ruleSpecs } from './specs/rule.js';
import { runSpec } from './specs/run.js';
import { psSpec, runsSpec } from './specs/runs.js';
import { schemaListSpec, schemaShowSpec } from './specs/schema.js';
import { serveSpec } from './specs/serve.js';
import { sessionSpecs } from './specs/session.js';
import { statusSpec } from './specs/status.js';
import { storeBackupSpec, storeCheckSpec, storeStatsSpec } from './specs/store.js';
import { templateSpecs } from './specs/template.js';
import { tokenSpecs } from './specs/token.js';
import { trustSpec } from './specs/trust.js';
import { validateSpec } from './specs/validate.js';
import { versionSpec } from './specs/version.js';

/** Every command there is, as data. What runs it is decided by the tier: quick.ts or main.ts. */
export const COMMANDS: readonly CommandSpec[] = [
  statusSpec,
  runSpec,
  inboxSpec,
  answerSpec,
  ...sessionSpecs,
  ...jobSpecs,
  ...envelopeSpecs,
  ...bridgeSpecs,
  ...operatorSpecs,
  ...templateSpecs,
  agentRegisterSpec,
  agentListSpec,
  agentShowSpec,
  validateSpec,
  schemaListSpec,
  schemaShowSpec,
  runsSpec,
  psSpec,
  eventsSpec,
  auditVerifySpec,
  auditHeadSpec,
  auditShowSpec,
  auditExportSpec,
  storeCheckSpec,
  storeStatsSpec,
  storeBackupSpec,
  ...ruleSpecs,
  serveSpec,
  consoleSpec,
  ...tokenSpecs,
  costSpec,
  ...budgetSpecs,
  ...notifySpecs,
  trustSpec,
  initSpec,
  doctorSpec,
  configListSpec,
  configGetSpec,
  configSetSpec,
  completionSpec,
  versionSpec,
  helpSpec,
];

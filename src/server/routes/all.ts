import type { Route } from '../route.js';
import { agentRoutes } from './agents.js';
import { attemptLogRoutes } from './attempt-log.js';
import { auditRoutes } from './audit.js';
import { bridgeRoutes } from './bridges.js';
import { budgetRoutes } from './budgets.js';
import { contractRoutes } from './contracts.js';
import { costRoutes } from './cost.js';
import { envelopeRoutes } from './envelopes.js';
import { eventRoutes } from './events.js';
import { evidenceRoutes } from './evidence.js';
import { handoffRoutes } from './handoffs.js';
import { inboxRoutes } from './inbox.js';
import { jobLogRoutes } from './job-log.js';
import { jobTimelineRoutes } from './job-timeline.js';
import { jobRoutes } from './jobs.js';
import { ledgerRoutes } from './ledgers.js';
import { ruleRoutes } from './rules.js';
import { runLogRoutes } from './run-log.js';
import { runRoutes } from './runs.js';
import { sessionRoutes } from './sessions.js';
import { systemRoutes } from './system.js';
import { textRoutes } from './texts.js';
import { tokenRoutes } from './tokens.js';

export const ROUTES: readonly Route[] = [
  ...runRoutes,
  ...runLogRoutes,
  ...eventRoutes,
  ...jobRoutes,
  ...jobTimelineRoutes,
  ...jobLogRoutes,
  ...evidenceRoutes,
  ...ledgerRoutes,
  ...attemptLogRoutes,
  ...envelopeRoutes,
  ...bridgeRoutes,
  ...sessionRoutes,
  ...inboxRoutes,
  ...agentRoutes,
  ...ruleRoutes,
  ...handoffRoutes,
  ...contractRoutes,
  ...auditRoutes,
  ...costRoutes,
  ...budgetRoutes,
  ...systemRoutes,
  ...textRoutes,
  ...tokenRoutes,
];

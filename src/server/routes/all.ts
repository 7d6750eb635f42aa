import type { Route } from '../route.js';
import { agentRoutes } from './agents.js';
import { auditRoutes } from './audit.js';
import { contractRoutes } from './contracts.js';
import { eventRoutes } from './events.js';
import { handoffRoutes } from './handoffs.js';
import { inboxRoutes } from './inbox.js';
import { jobRoutes } from './jobs.js';
import { ruleRoutes } from './rules.js';
import { runRoutes } from './runs.js';
import { systemRoutes } from './system.js';
import { textRoutes } from './texts.js';
import { tokenRoutes } from './tokens.js';

export const ROUTES: readonly Route[] = [
  ...runRoutes,
  ...eventRoutes,
  ...jobRoutes,
  ...inboxRoutes,
  ...agentRoutes,
  ...ruleRoutes,
  ...handoffRoutes,
  ...contractRoutes,
  ...auditRoutes,
  ...systemRoutes,
  ...textRoutes,
  ...tokenRoutes,
];

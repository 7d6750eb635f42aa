import { COMPOSER, type RequestFacts } from '../core/job/job-effects.js';
import { type PacketFacts, TASK_COMPOSER } from '../core/task/task-effects.js';
import { composeJobRequest, type RequestSources } from './job/compose-request.js';
import { assignmentOf } from './operator/compose-assignment.js';
import type { Composers } from './ports.js';

/** Puts the requests of all machines together. */
export function createComposers(sources: RequestSources): Composers {
  return {
    async compose(run, { composer, from }) {
      if (composer === COMPOSER) return composeJobRequest(run, from as RequestFacts, sources);
      if (composer === TASK_COMPOSER) return JSON.stringify(assignmentOf(from as PacketFacts));
      throw new Error(`there is no composer ${composer}`);
    },
  };
}

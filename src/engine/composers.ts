import { type RequestFacts as BridgeFacts, REQUEST_COMPOSER } from '../core/bridge/bridge-effects.js';
import { STAGE_COMPOSER, type StageFacts } from '../core/envelope/envelope-effects.js';
import { COMPOSER, type RequestFacts } from '../core/job/job-effects.js';
import type { LiveLedger } from '../core/ledger/ledger-state.js';
import { TURN_COMPOSER } from '../core/session/session-effects.js';
import { type PacketFacts, PLAN_COMPOSER, TASK_COMPOSER } from '../core/task/task-effects.js';
import { bridgeRequest } from './bridge/compose-request.js';
import { type StageSources, stageRequest } from './envelope/compose-stage.js';
import { composeJobRequest, type RequestSources } from './job/compose-request.js';
import type { Machines } from './machines.js';
import { assignmentOf } from './operator/compose-assignment.js';
import { planningRequest } from './operator/compose-planning.js';
import type { Clock, Composers, EventStore } from './ports.js';
import { readRunOf } from './read-run.js';

type Sources = RequestSources & {
  /** For what is made from a run as it stands. */
  envelopes?: Omit<StageSources, 'body'>;
  runs?: { store: Pick<EventStore, 'load' | 'heard'>; machines: Machines; clock: Clock };
};

/** Puts the requests of all machines together. */
export function createComposers({ runs, envelopes, ...sources }: Sources): Composers {
  return {
    async compose(run, { composer, from }) {
      if (composer === COMPOSER) return composeJobRequest(run, from as RequestFacts, sources);
      if (composer === STAGE_COMPOSER && envelopes) {
        return stageRequest({ ...envelopes, body: sources.body }, from as StageFacts);
      }
      if (composer === REQUEST_COMPOSER) return bridgeRequest(sources, from as BridgeFacts);
      // Whoever asks the model reads the thread itself: it would be kept once more with every turn.
      if (composer === TURN_COMPOSER) return JSON.stringify(from);
      if (composer === TASK_COMPOSER) return JSON.stringify(assignmentOf(from as PacketFacts));
      if (composer !== PLAN_COMPOSER || !runs) throw new Error(`there is no composer ${composer}`);
      const { ledger } = from as PacketFacts;
      const { state } = await readRunOf(runs.store, runs.machines, 'ledger', ledger);
      const heard = await runs.store.heard(ledger);
      return JSON.stringify(planningRequest(state as LiveLedger, heard, runs.clock.nowMs()));
    },
  };
}

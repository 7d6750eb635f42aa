import type { DeedProblem, JobDeeds } from '../core/job/job-deeds.js';
import type { LandingOrder } from '../core/landing/landing-decider.js';
import type { Deeds, EventStore } from '../engine/ports.js';
import { check } from './check.js';
import { collect } from './collect.js';
import { Deed, type WorkspaceOptions } from './deed.js';
import { DeedFailures } from './deed-problem.js';
import { type Landing, landJob } from './land.js';
import { prepare } from './prepare.js';
import { restore } from './restore.js';

export type JobDeedsOptions = WorkspaceOptions & { store: Pick<EventStore, 'body'> };

type Doers = {
  [Name in keyof JobDeeds]: (deed: Deed, input: JobDeeds[Name]['input']) => Promise<JobDeeds[Name]['result']>;
};

/**
 * What jobs ask of the world besides agents. Each deed can be done again from its beginning; it rejects only for what
 * may pass by itself, and when it is aborted, after everything it started has ended.
 */
export function createJobDeeds({ store, ...options }: JobDeedsOptions): Deeds {
  const doers: Doers = { prepare: prepareIn, collect: (deed, input) => collect(deed, store, input), check, restore };
  const failures = new DeedFailures();
  return {
    async perform(held, { key, deed: name, input }, signal) {
      const doing = { held, key, signal };
      if (name === 'landing.land') {
        const { folder: repo, title: subject, ...order } = input as LandingOrder;
        const deed = new Deed(options, { ...doing, job: order.job });
        const { bodies, ...result } = await landJob({ ...options, ...order, ...doing, repo, subject }).catch(
          (failure: unknown): Landing => {
            const { problem } = orAgain(failures, deed, failure);
            return { type: 'refused', reason: `${problem} Then land again.`, bodies: [] };
          },
        );
        return { result, bodies };
      }
      const doer = Object.entries(doers).find(([one]) => `job.${one}` === name)?.[1];
      if (!doer) throw new Error(`there is no deed ${name}`);
      const deed = new Deed(options, doing);
      const result = await doer(deed, input as never).catch((failure: unknown) => {
        const { problem, kind } = orAgain(failures, deed, failure);
        return { ...UNDONE, kind, problem: `${problem} Then resubmit.`, reported: deed.reported };
      });
      return { result, bodies: deed.bodies };
    },
  };
}

/** The log says what the agents of a job were held by. */
async function prepareIn(deed: Deed, input: JobDeeds['prepare']['input']): Promise<JobDeeds['prepare']['result']> {
  const prepared = await prepare(deed, input);
  const holding = await deed.options.confinements?.holding();
  return 'problem' in prepared || !holding?.holds ? prepared : { ...prepared, sandbox: holding.mode };
}

/** What prepare and restore say beside a problem. */
const UNDONE = { output: null, restored: 0 };

/** Rejects with the failure itself when it shall be tried again. */
function orAgain(failures: DeedFailures, deed: Deed, failure: unknown): DeedProblem {
  const problem = deed.errand.signal.aborted ? null : failures.problemOf(deed, failure);
  if (!problem) throw failure;
  return problem;
}

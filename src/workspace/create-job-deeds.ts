import type { JobDeeds } from '../core/job/job-deeds.js';
import type { LandingOrder } from '../core/landing/landing-decider.js';
import type { Deeds, EventStore } from '../engine/ports.js';
import { check } from './check.js';
import { collect } from './collect.js';
import { Deed, type WorkspaceOptions } from './deed.js';
import { landJob } from './land.js';
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
  const doers: Doers = { prepare, collect: (deed, input) => collect(deed, store, input), check, restore };
  return {
    async perform(held, { key, deed: name, input }, signal) {
      if (name === 'landing.land') {
        const { folder: repo, title: subject, ...order } = input as LandingOrder;
        const { bodies, ...result } = await landJob({ ...options, ...order, repo, subject, held, key, signal });
        return { result, bodies };
      }
      const doer = Object.entries(doers).find(([one]) => `job.${one}` === name)?.[1];
      if (!doer) throw new Error(`there is no deed ${name}`);
      const deed = new Deed(options, { held, key, signal });
      const result = await doer(deed, input as never);
      return { result, bodies: deed.bodies };
    },
  };
}

import type { Deeds } from '../engine/ports.js';
import { createJobDeeds, type JobDeedsOptions } from './create-job-deeds.js';
import type { TaskDeedsOptions } from './task/create-task-deeds.js';

const OF_TASKS = /^(task|ledger)\./;
const OF_ENVELOPES = /^envelope\./;
const OF_BRIDGES = /^bridge\./;
const OF_SESSIONS = /^session\./;

/** Without those of sessions there are none. */
type Others = { ofEnvelopes: Deeds; ofBridges: Deeds; ofSessions?: Deeds };

/** What all machines ask to be done. What tasks need is loaded with the first of them. */
export function joinedDeeds(options: JobDeedsOptions & TaskDeedsOptions & Others): Deeds {
  const ofJobs = createJobDeeds(options);
  let ofTasks: Promise<Deeds> | undefined;
  return {
    async perform(held, effect, signal) {
      if (OF_ENVELOPES.test(effect.deed)) return options.ofEnvelopes.perform(held, effect, signal);
      if (OF_BRIDGES.test(effect.deed)) return options.ofBridges.perform(held, effect, signal);
      if (OF_SESSIONS.test(effect.deed) && options.ofSessions) return options.ofSessions.perform(held, effect, signal);
      if (!OF_TASKS.test(effect.deed)) return ofJobs.perform(held, effect, signal);
      ofTasks ??= import('./task/create-task-deeds.js').then(({ createTaskDeeds }) => createTaskDeeds(options));
      return (await ofTasks).perform(held, effect, signal);
    },
  };
}

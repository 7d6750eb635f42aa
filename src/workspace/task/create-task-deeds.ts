import { NO_USAGE, type Usage } from '../../core/kernel/effect.js';
import type { LedgerDeeds, TaskDeeds } from '../../core/task/task-deeds.js';
import type { Deeds, EventStore } from '../../engine/ports.js';
import { Deed, type WorkspaceOptions } from '../deed.js';
import { DeedFailures } from '../deed-problem.js';
import { collectTask } from './collect-task.js';
import { mergeTasks } from './merge-tasks.js';
import { prepareTask } from './prepare-task.js';
import { readPlan } from './read-plan.js';

export type TaskDeedsOptions = WorkspaceOptions & {
  store: Pick<EventStore, 'body' | 'heard'>;
  /** What a try has used so far. */
  spentOf?(of: { run: string; handoff: string; attempt: number }): Usage;
};

/** What tasks and their ledgers ask of the world besides agents. Each deed can be done again from its beginning. */
export function createTaskDeeds({ store, spentOf, ...options }: TaskDeedsOptions): Deeds {
  const doers: Readonly<Record<string, (deed: Deed, input: never) => Promise<object>>> = {
    'task.prepare': async (deed, input: TaskDeeds['prepare']['input']) => {
      const prepared = await prepareTask(deed, store, input);
      const holding = await options.confinements?.holding();
      return 'folder' in prepared && holding?.holds ? { ...prepared, sandbox: holding.mode } : prepared;
    },
    'task.collect': (deed, input: TaskDeeds['collect']['input']) => collectTask(deed, store, input),
    'task.plan': (deed, input: TaskDeeds['plan']['input']) => readPlan(deed, store, input),
    'task.spent': async ({ run }, of: TaskDeeds['spent']['input']) => {
      const { inputTokens, outputTokens, costMicroUsd, models } = spentOf?.({ run, ...of }) ?? NO_USAGE;
      return { usage: { inputTokens, outputTokens, costMicroUsd, ...(models && { models }) } };
    },
    'ledger.beats': async (_, { run }: LedgerDeeds['beats']['input']) => ({
      beats: Object.fromEntries(await store.heard(run)),
    }),
    'ledger.merge': (deed, input: LedgerDeeds['merge']['input']) => mergeTasks(deed, input),
  };
  const failures = new DeedFailures();
  return {
    async perform(held, { key, deed: name, input }, signal) {
      const doer = doers[name];
      if (!doer) throw new Error(`there is no deed ${name}`);
      const deed = new Deed(options, { held, key, signal });
      const result = await doer(deed, input as never).catch((failure: unknown) => {
        const needsWorkspace = name === 'task.collect';
        const problem = signal.aborted ? null : failures.problemOf(deed, failure, needsWorkspace);
        if (!problem) throw failure;
        return { ...problem, reported: deed.reported };
      });
      return { result, bodies: deed.bodies };
    },
  };
}

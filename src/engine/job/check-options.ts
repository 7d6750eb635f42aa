import { BatonError } from '../../contracts/shared/errors.js';
import { resourceOf, resourceProblem } from '../../contracts/shared/resource.js';
import { isProjectName } from '../../core/kernel/project.js';
import type { EventStore } from '../ports.js';
import { checkJobId } from './job-id.js';
import { type JobOptions, limitsOf } from './job-options.js';

/** Refuses what no job can be made of, without making one: names, limits, locks, and runs that it waits for. */
export async function checkOptions(store: Pick<EventStore, 'run'>, options: JobOptions): Promise<void> {
  const { id, lock = [], after = [], project, limits = {} } = options;
  if (id !== undefined) checkJobId(id);
  if (project !== undefined && !isProjectName(project))
    throw new BatonError('SCHEMA_INVALID', `a project cannot be called ${JSON.stringify(project)}`);
  limitsOf(limits);
  lock.forEach(lockOf);
  for (const run of after) {
    if (await store.run(run)) continue;
    throw new BatonError('RUN_NOT_FOUND', `it is to wait for ${JSON.stringify(run)}, and there is no such run`, {
      run_id: run,
    });
  }
}

export async function refuseTaken(store: Pick<EventStore, 'run'>, { id }: JobOptions): Promise<void> {
  if (id !== undefined && (await store.run(id)))
    throw new BatonError('ID_TAKEN', `there is a run ${id} already`, { run_id: id });
}

/** As locks are compared. */
export function lockOf(path: string): string {
  const problem = resourceProblem(path);
  if (problem !== undefined)
    throw new BatonError('PATH_REFUSED', `the lock ${JSON.stringify(path)} ${problem}`, { path });
  return resourceOf(path);
}

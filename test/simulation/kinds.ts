export type Kind = 'errand' | 'job';

/** Runs are named after their kind, so that a diary can be read. */
export function kindOf(run: string): Kind {
  return run.startsWith('job-') ? 'job' : 'errand';
}

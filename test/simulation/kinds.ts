export type Kind = 'errand' | 'job' | 'session';

/** Who plays in a story: work that is handed out, or people who talk to agents. */
export type Cast = 'work' | 'sessions';
export const CASTS: Readonly<Record<Cast, Readonly<Partial<Record<Kind, number>>>>> = {
  work: { errand: 6, job: 5 },
  sessions: { session: 4 },
};

/** Runs are named after their kind, so that a diary can be read. */
export function kindOf(run: string): Kind {
  if (run.startsWith('session-')) return 'session';
  return run.startsWith('job-') ? 'job' : 'errand';
}

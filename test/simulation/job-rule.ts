import type { JobEvent } from '../../src/core/job/job-messages.js';
import type { LiveJob } from '../../src/core/job/job-state.js';
import type { EventRow } from '../../src/engine/ports.js';

/** One event of a job, with the job before and after it. */
export type Step = {
  run: string;
  before: LiveJob;
  event: JobEvent;
  after: LiveJob;
  row: EventRow;
  last: boolean;
  body: (sha256: string) => Uint8Array | undefined;
};

/** Made anew for every job, so that it can remember what it saw. Counts for itself instead of asking the machine. */
export type Rule = () => (step: Step) => string | undefined;

import type { JobEvent } from '../../src/core/job/job-messages.js';
import type { LiveJob } from '../../src/core/job/job-state.js';
import type { EventRow } from '../../src/engine/ports.js';
import type { MemoryJournal } from '../../src/store/memory/journal.js';

/** One event of a job, with the job before and after it. */
export type Step = {
  run: string;
  before: LiveJob;
  event: JobEvent;
  after: LiveJob;
  row: EventRow;
  last: boolean;
  journal: MemoryJournal;
};

/** Made anew for every job, so that it can remember what it saw. Counts for itself instead of asking the machine. */
export type Rule = () => (step: Step) => string | undefined;

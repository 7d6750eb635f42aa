import type { JobHistory } from '../generated/types/job-history.js';
import { validate, validateStrict } from '../generated/validators/job-history.js';
import type { Contract } from '../shared/contract.js';

export const jobHistory: Contract<JobHistory> = {
  name: 'job-history',
  validate,
  validateStrict,
  versioned: 'optional',
  rules: [],
  // A history is rotated at 100 MB; one that is read back may be that large.
  bytesMax: 100 * 1024 * 1024,
};

import type { JobManifest } from '../generated/types/job-manifest.js';
import { validate, validateStrict } from '../generated/validators/job-manifest.js';
import type { Contract } from '../shared/contract.js';

export const jobManifest: Contract<JobManifest> = {
  name: 'job-manifest',
  validate,
  validateStrict,
  rules: [],
};

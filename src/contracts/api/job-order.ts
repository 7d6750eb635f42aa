import type { JobOrderBody } from '../generated/types/job-order.js';
import { validate, validateStrict } from '../generated/validators/job-order.js';
import type { Contract } from '../shared/contract.js';

export const jobOrder: Contract<JobOrderBody> = { name: 'job-order', validate, validateStrict, rules: [] };

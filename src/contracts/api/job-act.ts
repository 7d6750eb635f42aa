import type { JobActBody } from '../generated/types/job-act.js';
import { validate, validateStrict } from '../generated/validators/job-act.js';
import type { Contract } from '../shared/contract.js';

export const jobAct: Contract<JobActBody> = { name: 'job-act', validate, validateStrict, rules: [] };

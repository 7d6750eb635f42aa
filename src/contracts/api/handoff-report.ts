import type { HandoffReportBody } from '../generated/types/handoff-report.js';
import { validate, validateStrict } from '../generated/validators/handoff-report.js';
import type { Contract } from '../shared/contract.js';

export const handoffReport: Contract<HandoffReportBody> = {
  name: 'handoff-report',
  validate,
  validateStrict,
  rules: [],
};

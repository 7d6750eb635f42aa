import type { VerificationReport } from '../generated/types/verification-report.js';
import { validate, validateStrict } from '../generated/validators/verification-report.js';
import type { Contract } from '../shared/contract.js';

export const verificationReport: Contract<VerificationReport> = {
  name: 'verification-report',
  validate,
  validateStrict,
  rules: [],
};

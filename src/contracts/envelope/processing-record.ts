import type { ProcessingRecord } from '../generated/types/processing-record.js';
import { validate, validateStrict } from '../generated/validators/processing-record.js';
import type { Contract } from '../shared/contract.js';

export const processingRecord: Contract<ProcessingRecord> = {
  name: 'processing-record',
  validate,
  validateStrict,
  rules: [],
};

import type { ExecutionOutput } from '../generated/types/stage-execution.js';
import { validate, validateStrict } from '../generated/validators/stage-execution.js';
import type { Contract } from '../shared/contract.js';

export const stageExecution: Contract<ExecutionOutput> = {
  name: 'stage-execution',
  validate,
  validateStrict,
  rules: [],
};

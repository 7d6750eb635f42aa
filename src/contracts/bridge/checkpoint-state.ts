import type { CheckpointState } from '../generated/types/checkpoint-state.js';
import { validate, validateStrict } from '../generated/validators/checkpoint-state.js';
import type { Contract } from '../shared/contract.js';

export const checkpointState: Contract<CheckpointState> = {
  name: 'checkpoint-state',
  validate,
  validateStrict,
  rules: [],
};

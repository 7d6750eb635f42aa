import type { CoRTReasoningTree } from '../generated/types/cort-reasoning-tree.js';
import { validate, validateStrict } from '../generated/validators/cort-reasoning-tree.js';
import type { Contract } from '../shared/contract.js';

export const cortReasoningTree: Contract<CoRTReasoningTree> = {
  name: 'cort-reasoning-tree',
  validate,
  validateStrict,
  rules: [],
};

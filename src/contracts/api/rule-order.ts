import type { RuleOrderBody } from '../generated/types/rule-order.js';
import { validate, validateStrict } from '../generated/validators/rule-order.js';
import type { Contract } from '../shared/contract.js';

export const ruleOrder: Contract<RuleOrderBody> = { name: 'rule-order', validate, validateStrict, rules: [] };

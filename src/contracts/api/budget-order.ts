import type { BudgetOrderBody } from '../generated/types/budget-order.js';
import { validate, validateStrict } from '../generated/validators/budget-order.js';
import type { Contract } from '../shared/contract.js';

export const budgetOrder: Contract<BudgetOrderBody> = { name: 'budget-order', validate, validateStrict, rules: [] };

import type { TokenOrderBody } from '../generated/types/token-order.js';
import { validate, validateStrict } from '../generated/validators/token-order.js';
import type { Contract } from '../shared/contract.js';

export const tokenOrder: Contract<TokenOrderBody> = { name: 'token-order', validate, validateStrict, rules: [] };

import type { RuleOrderBody } from '../generated/types/rule-order.js';

export type Rule = RuleOrderBody & { id: string; author?: string };

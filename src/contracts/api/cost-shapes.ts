export type CostKey = 'agent' | 'model' | 'project' | 'day' | 'run' | 'kind';
/** What was spent under one key, and what of it led nowhere. */
export type CostRow = { key: string; cost_usd: number; wasted_usd: number; tokens: number; handoffs: number };

/** `project` null is everything on this store; a limit that is null is none. */
export type Budget = {
  project: string | null;
  per: string;
  limit_usd: number | null;
  spent_usd: number;
  left_usd: number | null;
  limit_tokens: number | null;
  spent_tokens: number;
  left_tokens: number | null;
  resets_at: string;
};

/** What is told of a budget that was taken away. */
export type NoBudget = Pick<Budget, 'project' | 'per'> & { limit_usd: null; limit_tokens: null };

import type { InboxItem } from '../../client/index.js';
import { dollars, span, tokens } from '../parts/figures.js';

type Spent = { cost_usd?: number; tokens?: number; seconds?: number };
type Limits = { costMicroUsd?: number; tokens?: number; activeMs?: number; asks?: number };
export type ReachedLimit = { name: string; unit: string; used: number; limit: number; shown(value: number): string };

/** Which limit stopped it, and in which unit a new total is said. */
export function reachedLimit({ details }: InboxItem): ReachedLimit {
  const spent = (details.spent ?? {}) as Spent;
  const limits = (details.limits ?? {}) as Limits;
  switch (details.limit_reached) {
    case 'activeMs':
      return {
        ...{ name: 'Active time', unit: 'minutes', used: (spent.seconds ?? 0) * 1_000, limit: limits.activeMs ?? 0 },
        shown: span,
      };
    case 'tokens':
      return { name: 'Tokens', unit: 'tokens', used: spent.tokens ?? 0, limit: limits.tokens ?? 0, shown: tokens };
    case 'asks':
      return { name: 'Handoffs', unit: 'handoffs', used: limits.asks ?? 0, limit: limits.asks ?? 0, shown: String };
    case 'costMicroUsd':
      return {
        ...{ name: 'Cost', unit: 'dollars', used: spent.cost_usd ?? 0, limit: (limits.costMicroUsd ?? 0) / 1e6 },
        shown: dollars,
      };
    default:
      return { name: 'Limit', unit: '', used: 0, limit: 0, shown: String };
  }
}

import type { Usage } from '../../core/kernel/effect.js';

/** Input holds what came from the cache and what was written to it; output holds the reasoning. */
export type Tokens = {
  inputTokens: number;
  cachedInputTokens: number;
  cacheWriteTokens: number;
  /** Written to stay for an hour rather than for minutes, which costs more. */
  longCacheWriteTokens: number;
  outputTokens: number;
  reasoningTokens: number;
};

export const NO_TOKENS: Tokens = {
  inputTokens: 0,
  cachedInputTokens: 0,
  cacheWriteTokens: 0,
  longCacheWriteTokens: 0,
  outputTokens: 0,
  reasoningTokens: 0,
};

/** Everything that was counted for one token, from its first request on. */
export type MeteredUsage = Usage &
  Tokens & {
    requests: number;
    /** Some figure was worked out from bytes, because the provider told none or one that cannot be. */
    estimated: boolean;
    /** Models without a price: their tokens are counted, their cost is not. */
    unpriced: readonly string[];
  };

export const NO_METERED_USAGE: MeteredUsage = {
  ...NO_TOKENS,
  costMicroUsd: 0,
  requests: 0,
  estimated: false,
  unpriced: [],
};

/** A sum in which `before` is replaced by `after`. */
export function changedTokens(sum: Tokens, before: Tokens, after: Tokens): Tokens {
  return {
    inputTokens: sum.inputTokens - before.inputTokens + after.inputTokens,
    cachedInputTokens: sum.cachedInputTokens - before.cachedInputTokens + after.cachedInputTokens,
    cacheWriteTokens: sum.cacheWriteTokens - before.cacheWriteTokens + after.cacheWriteTokens,
    longCacheWriteTokens: sum.longCacheWriteTokens - before.longCacheWriteTokens + after.longCacheWriteTokens,
    outputTokens: sum.outputTokens - before.outputTokens + after.outputTokens,
    reasoningTokens: sum.reasoningTokens - before.reasoningTokens + after.reasoningTokens,
  };
}

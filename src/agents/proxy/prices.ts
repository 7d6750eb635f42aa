import PRICES from './prices.json' with { type: 'json' };
import type { Tokens } from './tokens.js';

/** Micro-dollars for a million tokens, so that all sums are whole numbers. A write that is left out costs what input does. */
type Rates = {
  input: number;
  cached_input: number;
  cache_write?: number;
  long_cache_write?: number;
  output: number;
};

/** Prompts above so many tokens, cached or not, cost more, all of them. */
export type Price = Rates & { long?: Rates & { above: number } };

/** `version` and `date` say which prices a cost was worked out with. */
export type PriceTable = { version: number; date: string; models: Readonly<Record<string, Price>> };

export const KNOWN_PRICES: PriceTable = PRICES;

const MILLION = 1_000_000;
/** Releases of one model cost the same: "-20250929", "-2026-03-05", "@20250929", "-latest". */
const RELEASE = /(?:[-@](?:\d{8}|\d{4}-\d{2}-\d{2})|-latest)$/;

/** Undefined when there is no price. No price is taken from a model whose name only begins alike. */
export function costMicroUsd(table: PriceTable, model: string, tokens: Tokens): number | undefined {
  const price = priceOf(table, model) ?? priceOf(table, model.replace(RELEASE, ''));
  if (!price) return undefined;
  const rates: Rates = price.long && tokens.inputTokens > price.long.above ? price.long : price;
  const { input, cached_input, cache_write = input, long_cache_write = cache_write, output } = rates;
  const { cachedInputTokens, cacheWriteTokens, longCacheWriteTokens } = tokens;
  const fresh = tokens.inputTokens - cachedInputTokens - cacheWriteTokens - longCacheWriteTokens;
  const sum =
    fresh * input +
    cachedInputTokens * cached_input +
    cacheWriteTokens * cache_write +
    longCacheWriteTokens * long_cache_write +
    tokens.outputTokens * output;
  return Math.ceil(sum / MILLION);
}

function priceOf(table: PriceTable, model: string): Price | undefined {
  return Object.hasOwn(table.models, model) ? table.models[model] : undefined;
}

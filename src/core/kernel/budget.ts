/** One mechanism for limits in all contracts. 0 or absent means unlimited; money is micro-USD throughout. */

export type Limits = { costMicroUsd?: number; tokens?: number; activeMs?: number; asks?: number };
export type Spent = { costMicroUsd: number; tokens: number; activeMs: number; asks: number };
export type Dimension = keyof Spent;

export const NOTHING_SPENT: Spent = { costMicroUsd: 0, tokens: 0, activeMs: 0, asks: 0 };
export const DIMENSIONS: readonly Dimension[] = ['costMicroUsd', 'tokens', 'activeMs', 'asks'];
const WARN_AT = 0.8;

export function addSpent(one: Spent, other: Partial<Spent>): Spent {
  return {
    costMicroUsd: one.costMicroUsd + (other.costMicroUsd ?? 0),
    tokens: one.tokens + (other.tokens ?? 0),
    activeMs: one.activeMs + (other.activeMs ?? 0),
    asks: one.asks + (other.asks ?? 0),
  };
}

/** The first dimension that is used up: reached counts, not only crossed. */
export function exhausted(limits: Limits, spent: Spent): Dimension | undefined {
  return DIMENSIONS.find((dimension) => isLimited(limits, dimension) && spent[dimension] >= limitOf(limits, dimension));
}

/** Dimensions that are nearly but not wholly used up. */
export function nearlyExhausted(limits: Limits, spent: Spent): Dimension[] {
  return DIMENSIONS.filter((dimension) => {
    const limit = limitOf(limits, dimension);
    return isLimited(limits, dimension) && spent[dimension] >= limit * WARN_AT && spent[dimension] < limit;
  });
}

export function remaining(limits: Limits, spent: Spent, dimension: Dimension): number {
  return isLimited(limits, dimension)
    ? Math.max(0, limitOf(limits, dimension) - spent[dimension])
    : Number.POSITIVE_INFINITY;
}

function isLimited(limits: Limits, dimension: Dimension): boolean {
  return limitOf(limits, dimension) > 0;
}

function limitOf(limits: Limits, dimension: Dimension): number {
  return limits[dimension] ?? 0;
}

const MINUTE_MS = 60_000;

/** So much of something and not a hair less, for people: what is compared is not rounded. */
export function amountWords(dimension: Dimension, value: number): string {
  if (dimension === 'costMicroUsd') return `$${(value / 1_000_000).toFixed(6).replace(/(\.\d\d\d*?)0+$/, '$1')}`;
  if (dimension === 'activeMs') {
    const minutes = Math.floor(value / MINUTE_MS);
    const seconds = (value % MINUTE_MS) / 1_000;
    const words = [...(minutes > 0 ? [`${minutes} min`] : []), ...(seconds > 0 ? [`${seconds} s`] : [])];
    return words.length > 0 ? words.join(' ') : '0 s';
  }
  const unit = dimension === 'tokens' ? 'token' : 'handoff';
  return `${value} ${unit}${value === 1 ? '' : 's'}`;
}

/** How much of a limit is spent, for people. */
export function usedWords(dimension: Dimension, spent: Spent, limits: Limits): string {
  const [used, limit] = [spent[dimension], limitOf(limits, dimension)];
  const usd = (microUsd: number): string => `$${(microUsd / 1_000_000).toFixed(2)}`;
  if (dimension === 'costMicroUsd') return `${usd(used)} of ${usd(limit)}`;
  if (dimension === 'activeMs') {
    const [unitMs, unit] = limit < MINUTE_MS ? [1_000, 's'] : [MINUTE_MS, 'min'];
    return `${Math.floor(used / unitMs)} of ${Math.floor(limit / unitMs)} ${unit}`;
  }
  return `${used} of ${limit} ${dimension === 'tokens' ? 'tokens' : 'handoffs'}`;
}

export const RESULTS_DEFAULT = 50;
/** More are never shown; so what is found beyond them need not be kept, only counted. */
export const RESULTS_MAX = 500;

/** What is left out is said wherever something is. */
export type Bounded = { truncated?: true; left_out?: number };

export function firstOf<T>(
  found: readonly T[],
  wanted: number = RESULTS_DEFAULT,
  total: number = found.length,
): { kept: T[]; bounded: Bounded } {
  const kept = found.slice(0, Math.min(wanted, RESULTS_MAX));
  const left_out = total - kept.length;
  return { kept, bounded: left_out > 0 ? { truncated: true, left_out } : {} };
}

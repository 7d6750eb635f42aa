export const RESULTS_DEFAULT = 50;
const RESULTS_MAX = 500;

/** What is left out is said wherever something is. */
export type Bounded = { truncated?: true; left_out?: number };

export function firstOf<T>(all: readonly T[], wanted: number = RESULTS_DEFAULT): { kept: T[]; bounded: Bounded } {
  const kept = all.slice(0, Math.min(wanted, RESULTS_MAX));
  const left_out = all.length - kept.length;
  return { kept, bounded: left_out > 0 ? { truncated: true, left_out } : {} };
}

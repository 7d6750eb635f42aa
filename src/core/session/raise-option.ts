import type { Limits, Spent } from '../kernel/budget.js';

/** Every turn sends the whole thread again: half as much once more may be used up by the first of them. */
const RAISE_BY = 3;
const MICRO = 1_000_000;
const MINUTE_MS = 60_000;

type Raised = Exclude<keyof Limits, 'asks'>;
const OPTIONS: Readonly<Record<Raised, (amount: number) => string>> = {
  tokens: (tokens) => `--max-tokens ${Math.ceil(tokens)}`,
  costMicroUsd: (cost) => `--max-cost ${Math.max(0.01, cost / MICRO).toFixed(2)}`,
  activeMs: (ms) => `--max-time ${Math.ceil(ms / MINUTE_MS)}m`,
};

/** What raises the limit that most is used of: time is stopped a little before its end. */
export function raiseOption(limits: Limits, spent: Pick<Spent, Raised>): string | undefined {
  const used = (Object.keys(OPTIONS) as Raised[])
    .map((name) => ({ name, limit: limits[name] ?? 0, spent: spent[name] }))
    .filter(({ limit }) => limit > 0)
    .sort((one, other) => other.spent / other.limit - one.spent / one.limit);
  const [most] = used;
  return most && OPTIONS[most.name](Math.max(most.limit, most.spent) * RAISE_BY);
}

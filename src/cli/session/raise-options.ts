import type { Limits } from '../../core/kernel/budget.js';
import type { RunId, RunRow } from '../../engine/ports.js';
import type { SessionPlace } from '../../engine/session/session-place.js';

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

/** The option with which a session that has reached a limit can be gone on with, and a blank before it; else nothing. */
export async function raiseOption(place: Pick<SessionPlace, 'store' | 'orderOf'>, session: RunId): Promise<string> {
  const [{ limits }, row] = await Promise.all([place.orderOf(session), place.store.run(session)]);
  const option = row && optionFor(limits, row);
  return option === undefined ? '' : ` ${option}`;
}

/** Of the limit that most is used of: time is stopped a little before its end. */
export function optionFor(limits: Limits, spent: Pick<RunRow, Raised>): string | undefined {
  const used = (Object.keys(OPTIONS) as Raised[])
    .map((name) => ({ name, limit: limits[name] ?? 0, spent: spent[name] }))
    .filter(({ limit }) => limit > 0)
    .sort((one, other) => other.spent / other.limit - one.spent / one.limit);
  const [most] = used;
  return most && OPTIONS[most.name](Math.max(most.limit, most.spent) * RAISE_BY);
}

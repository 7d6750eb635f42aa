import { isObject } from '../../../src/contracts/shared/is-object.js';

const ANY_TIME = '2000-01-01T00:00:00.000Z';
const TIMES = new Set(['started_at', 'completed_at', 'timestamp']);

/** As it is recorded: times and durations that were not sent stand for any. */
export function withStandIns(got: unknown, sent: unknown, key = ''): unknown {
  if (Array.isArray(got)) return got.map((one, index) => withStandIns(one, Array.isArray(sent) ? sent[index] : null));
  if (isObject(got)) {
    const before: Record<string, unknown> = isObject(sent) ? sent : {};
    return Object.fromEntries(Object.entries(got).map(([name, one]) => [name, withStandIns(one, before[name], name)]));
  }
  if (got === sent) return got;
  if (TIMES.has(key) && typeof got === 'string') return ANY_TIME;
  return key === 'duration_ms' ? 0 : got;
}

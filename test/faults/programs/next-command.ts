import type { Seeded } from '../../simulation/seeded.js';
import type { Sent } from './orders.js';
import { AGENT_KINDS } from './shell-agents.js';

const ACTS = ['Approve', 'Raise', 'Cancel', 'Raise'] as const;
const WORK_MS_MAX = 60;

/** Mostly new errands; now and then what a human might do to an earlier one, whether or not it is allowed. */
export function nextCommand(
  chance: Seeded,
  token: string,
  number: number,
  { earlier, mayBegin }: { earlier: readonly string[]; mayBegin: boolean },
): Sent {
  const key = `key-${token}-${number}`;
  if (earlier.length > 0 && (!mayBegin || chance.chance(0.3))) {
    const type = chance.pick(ACTS);
    const run = chance.pick(earlier);
    return { key, run, command: type === 'Raise' ? { type, atMs: 0, limits: { asks: 50 } } : { type, atMs: 0 } };
  }
  const request = `${chance.pick(AGENT_KINDS)} ${(1 + chance.below(WORK_MS_MAX)) / 1000} ${number}`;
  return {
    key,
    run: `run-${token}-${number}`,
    request,
    command: {
      type: 'Submit',
      atMs: 0,
      title: `errand ${number}`,
      agent: chance.pick(['alpha', 'beta']),
      request: { sha256: '', bytes: 0 },
      steps: 1 + chance.below(3),
      retriesMax: 3,
      stepTimeoutMs: 600_000,
      limits: chance.chance(0.1) ? { asks: 1 } : {},
      rank: chance.below(3),
      after: earlier.length > 0 && chance.chance(0.15) ? chance.pick(earlier) : null,
      check: chance.chance(0.15) ? { argv: ['sh', '-c', 'sleep 0.02'], cwd: '/' } : null,
      review: chance.chance(0.1),
      report: earlier.length > 0 && chance.chance(0.15) ? chance.pick(earlier) : null,
    },
  };
}

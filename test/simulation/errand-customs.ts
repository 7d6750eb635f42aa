import type { ErrandCommand } from '../../src/core/errand/errand-messages.js';
import type { BodyRef } from '../../src/core/kernel/effect.js';
import { kindOf } from './kinds.js';
import type { Seeded } from './seeded.js';
import type { Customs, Wish } from './wish.js';

const MEDDLING = ['Approve', 'Cancel', 'Raise', 'Raise', 'Reject'] as const;

export const errandCustoms: Customs = {
  submission: (run, others, chance) => {
    const order = orderOf(run, others, chance);
    return {
      type: 'Submit',
      texts: [`request of ${run}`],
      command: (atMs, [request]): ErrandCommand => ({
        type: 'Submit',
        atMs,
        ...order,
        request: request as BodyRef,
      }),
    };
  },
  meddling: (chance) => act(chance.pick(MEDDLING)),
  answer: ({ status, waitingFor }) =>
    status === 'needs-human' ? act(waitingFor === 'limit' ? 'Raise' : 'Approve') : undefined,
};

function orderOf(run: string, others: readonly string[], chance: Seeded) {
  const errands = others.filter((other) => kindOf(other) === 'errand');
  return {
    title: `errand ${run}`,
    agent: chance.pick(['alpha', 'beta']),
    steps: 1 + chance.below(4),
    retriesMax: 2,
    stepTimeoutMs: 5000,
    limits: chance.chance(0.2) ? { costMicroUsd: 2500 } : {},
    rank: chance.below(3),
    after: others.length > 0 && chance.chance(0.3) ? chance.pick(others) : null,
    check: chance.chance(0.3) ? { argv: ['true'], cwd: '.' } : null,
    review: chance.chance(0.2),
    report: errands.length > 0 && chance.chance(0.8) ? chance.pick(errands) : null,
  };
}

function act(type: (typeof MEDDLING)[number]): Wish {
  return { type, command: (atMs): ErrandCommand => (type === 'Raise' ? { type, atMs, limits: {} } : { type, atMs }) };
}

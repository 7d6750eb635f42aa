import type { JobCommand } from '../../src/core/job/job-messages.js';
import { builtInPhases, type JobOrder, SUPERVISOR_PHASE, WORKER_PHASE } from '../../src/core/job/job-order.js';
import type { Limits } from '../../src/core/kernel/budget.js';
import type { BodyRef, EffectResult } from '../../src/core/kernel/effect.js';
import type { Seeded } from './seeded.js';
import { byHand, SAYINGS } from './sim-answers.js';
import type { Customs, Wish } from './wish.js';

const AGENTS = ['alpha', 'beta'];
const UNLIMITED: Limits = { costMicroUsd: 0, tokens: 0, activeMs: 0, asks: 0 };
const LIMITS: readonly Limits[] = [{ costMicroUsd: 2500 }, { tokens: 300 }, { activeMs: 9000 }, { asks: 3 }];
/** Some are too low for a job that has begun. */
const RAISES: readonly Limits[] = [...LIMITS, UNLIMITED, { costMicroUsd: 9000, asks: 9 }, {}];
const PHASES = [null, null, WORKER_PHASE, SUPERVISOR_PHASE, 'nowhere'];

export const jobCustoms: Customs = {
  submission: (run, others, chance) => {
    const order = orderOf(run, others, chance);
    const activate = chance.chance(0.9);
    return {
      type: 'Submit',
      texts: [`prompt of ${run}`],
      command: (atMs, [prompt]): JobCommand => ({
        type: 'Submit',
        atMs,
        activate,
        order: { ...order, prompt: prompt as BodyRef },
      }),
    };
  },
  meddling: (chance) => chance.pick(OFTEN)(chance),
  decide: ({ key }, chance) => decideAbout(key, chance.pick(['approved', 'denied'])),
  answer: ({ status, waitingFor, version }, open) => {
    if (status === 'DRAFT') return act('Activate');
    if (waitingFor === null) return undefined;
    if (waitingFor === 'permission') return open && decideAbout(open.key, 'approved');
    if (waitingFor === 'limit') return raise(UNLIMITED);
    if (waitingFor === 'step') return go(null);
    if (waitingFor === 'turn') return byTurn(status, version);
    return waitingFor === 'approval' || waitingFor === 'protected' ? act('Approve') : advise('Resubmit', null, null);
  },
};

function orderOf(run: string, others: readonly string[], chance: Seeded): Omit<JobOrder, 'prompt'> {
  const repository = chance.chance(0.7) ? { folder: '/repository', base: null, dirty: false, paths: [] } : null;
  return {
    title: `job ${run}`,
    phases: builtInPhases(chance.pick(AGENTS), chance.pick(AGENTS)).map((phase) => ({
      ...phase,
      byHand: chance.chance(0.1),
    })),
    limits: chance.chance(0.4) ? chance.pick(LIMITS) : {},
    handoffTimeoutMs: 6000,
    verify: chance.pick(['strict', 'warn']),
    approval: chance.chance(0.2),
    repository,
    setup: null,
    checks: chance.chance(0.4) ? [['npm', 'test']] : [],
    protect: chance.chance(0.2) ? ['*.lock'] : [],
    env: [],
    after: others.length > 0 && chance.chance(0.3) ? [chance.pick(others)] : [],
    rank: chance.below(3),
    fallback: chance.chance(0.3) ? chance.pick(AGENTS) : null,
    onLimit: chance.pick(['wait', 'wait', 'ask']),
    locks: chance.chance(0.4) ? [chance.pick(['src', 'src/api', 'docs', '.'])] : [],
    projectFile: null,
    forkedFrom: null,
  };
}

type Meddling = (chance: Seeded) => Wish;
type CommandType = Exclude<JobCommand, EffectResult>['type'];

/** A command that nobody gives is not tried: a new one does not compile without a row. */
const MEDDLING: Readonly<Record<Exclude<CommandType, 'Submit'>, Meddling>> = {
  Activate: () => act('Activate'),
  Approve: () => act('Approve'),
  Cancel: () => act('Cancel'),
  Terminate: () => act('Terminate'),
  Rerun: () => act('Rerun'),
  Raise: (chance) => raise(chance.pick(RAISES)),
  Resubmit: (chance) => advise('Resubmit', chance.pick(PHASES), chance),
  Reject: (chance) => advise('Reject', chance.pick(PHASES), chance),
  Restep: (chance) => {
    const phase = chance.pick(PHASES) ?? WORKER_PHASE;
    return { type: 'Restep', command: (atMs): JobCommand => ({ type: 'Restep', atMs, phase }) };
  },
  Rank: (chance) => {
    const rank = chance.below(3) - 1;
    return { type: 'Rank', command: (atMs): JobCommand => ({ type: 'Rank', atMs, rank }) };
  },
  Advise: (chance) => {
    const now = chance.chance(0.5);
    const texts = [`told ${chance.next()}`];
    const command = (atMs: number, [ref]: readonly BodyRef[]): JobCommand => ({
      ...{ type: 'Advise', atMs, advice: ref as BodyRef, now },
    });
    return { type: 'Advise', texts, command };
  },
  NotePullRequest: () => ({
    type: 'NotePullRequest',
    command: (atMs): JobCommand => ({ type: 'NotePullRequest', atMs, url: 'https://example.com/pull/1' }),
  }),
  Checkpoint: () => ({
    type: 'Checkpoint',
    command: (atMs): JobCommand => ({ type: 'Checkpoint', atMs, description: 'now' }),
  }),
  Rollback: (chance) => {
    const point = chance.pick(['p1', 'p2', 'p3']);
    return { type: 'Rollback', command: (atMs): JobCommand => ({ type: 'Rollback', atMs, point, files: [] }) };
  },
  Decide: (chance) => decideAbout(`steward-${1 + chance.below(4)}`, chance.pick(['approved', 'denied'])),
  PostStep: handIn,
  Go: (chance) => {
    return go(chance.pick([1, null] as const));
  },
};
const { Resubmit, PostStep } = MEDDLING;
const OFTEN: readonly Meddling[] = [...Object.values(MEDDLING), Resubmit, PostStep, PostStep];

function go(steps: 1 | null): Wish {
  return { type: 'Go', command: (atMs): JobCommand => ({ type: 'Go', atMs, steps }) };
}

/** Its words tell which question the person has read. */
function decideAbout(key: string, decision: 'approved' | 'denied'): Wish {
  const question = Number(key.replace('steward-', ''));
  const guidance = `to ${key}`;
  return { type: 'Decide', command: (atMs): JobCommand => ({ type: 'Decide', atMs, question, decision, guidance }) };
}

function byTurn(status: string, version: number): Wish {
  const role = status === 'REVIEWING' ? 'Supervisor' : 'Worker';
  return {
    type: 'PostStep',
    texts: [byHand('COMPLETED', version)],
    command: (atMs, [answer]): JobCommand => ({
      type: 'PostStep',
      atMs,
      handoff: null,
      role,
      answer: answer as BodyRef,
    }),
  };
}

function handIn(chance: Seeded): Wish {
  const handoff = chance.pick([null, null, 'h1', 'h2']);
  const role = chance.pick(['Worker', 'Worker', 'Supervisor']);
  return {
    type: 'PostStep',
    texts: [byHand(chance.pick(SAYINGS), chance.next())],
    command: (atMs, [answer]): JobCommand => ({ type: 'PostStep', atMs, handoff, role, answer: answer as BodyRef }),
  };
}

function act(type: 'Activate' | 'Approve' | 'Cancel' | 'Terminate' | 'Rerun'): Wish {
  return { type, command: (atMs): JobCommand => ({ type, atMs }) };
}

function raise(limits: Limits): Wish {
  return { type: 'Raise', command: (atMs): JobCommand => ({ type: 'Raise', atMs, limits }) };
}

function advise(type: 'Resubmit' | 'Reject', phase: string | null, chance: Seeded | null): Wish {
  const texts = chance?.chance(0.7) ? [`advice ${chance.next()}`] : [];
  return { type, texts, command: (atMs, [ref]): JobCommand => ({ type, atMs, guidance: ref ?? null, phase }) };
}

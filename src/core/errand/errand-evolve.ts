import { addSpent, NOTHING_SPENT } from '../kernel/budget.js';
import type { Usage } from '../kernel/effect.js';
import { unreachable } from '../kernel/unreachable.js';
import type { ErrandEvent } from './errand-messages.js';
import { type Base, baseOf, type Errand, type Submitted, spentAfter } from './errand-state.js';

export function evolveErrand(errand: Errand, event: ErrandEvent): Errand {
  if (errand.status === 'new') return begin(event);
  const base = baseOf(errand);
  switch (event.type) {
    case 'Queued':
      return { ...base, status: 'queued' };
    case 'StepAsked':
      return {
        ...spend(base, { asks: 1 }),
        status: 'asking',
        asked: event.attempt,
        attempt: event.attempt,
        deadlineMs: event.deadlineMs,
        askedAtMs: event.atMs,
      };
    case 'StepAnswered':
      return { ...spendUsage(errand, event.usage, event.atMs), status: 'queued', stepsDone: event.step, tries: 0 };
    case 'StepFailed':
      return { ...spendUsage(errand, event.usage, event.atMs), status: 'queued', tries: base.tries + 1 };
    case 'StepLost':
      return { ...spendUsage(errand, event.usage, event.atMs), status: 'queued' };
    case 'BackedOff':
      return { ...base, status: 'backing-off', untilMs: event.untilMs };
    case 'CheckStarted':
      return { ...base, status: 'checking', checked: event.number, deadlineMs: event.deadlineMs };
    case 'HumanAsked':
      return { ...base, status: 'needs-human', questions: event.number, why: event.why, notified: false };
    case 'HumanNotified':
      return errand.status === 'needs-human' ? { ...errand, notified: true } : errand;
    case 'HumanAnswered':
      return { ...base, status: 'queued', tries: 0 };
    case 'LimitsRaised':
      return { ...errand, order: { ...base.order, limits: event.limits } };
    case 'ReportReceived':
      return { ...errand, reports: base.reports + 1 };
    case 'ReportDelivered':
      return 'reported' in errand ? { ...errand, reported: true } : errand;
    case 'ErrandDone':
      return { ...base, status: 'done', reported: false };
    case 'ErrandFailed':
      return { ...base, status: 'failed', reported: false };
    case 'ErrandCanceled':
      return { ...base, status: 'canceled', reported: false };
    case 'ErrandSubmitted':
    case 'PredecessorEnded':
    case 'CheckEnded':
    case 'CheckLost':
      return errand; // kept for the audit; moves nothing
    default:
      return unreachable(event);
  }
}

function begin(event: ErrandEvent): Errand {
  if (event.type !== 'ErrandSubmitted') throw new Error(`an errand's first event is ${event.type}`);
  const { type: _, atMs: __, ...order } = event;
  const base: Base = {
    order,
    spent: NOTHING_SPENT,
    stepsDone: 0,
    tries: 0,
    asked: 0,
    checked: 0,
    questions: 0,
    reports: 0,
  };
  return order.after === null ? { ...base, status: 'queued' } : { ...base, status: 'waiting', after: order.after };
}

function spend(base: Base, more: Parameters<typeof addSpent>[1]): Base {
  return { ...base, spent: addSpent(base.spent, more) };
}

function spendUsage(errand: Submitted, usage: Usage, atMs: number): Base {
  return { ...baseOf(errand), spent: spentAfter(errand, usage, atMs) };
}

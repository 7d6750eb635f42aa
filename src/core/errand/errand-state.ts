import { addSpent, type Spent } from '../kernel/budget.js';
import type { Usage } from '../kernel/effect.js';
import type { ErrandOrder, Stuck } from './errand-messages.js';

/** What every errand has once it was submitted. */
export type Base = {
  order: ErrandOrder;
  spent: Spent;
  /** Steps answered so far. */
  stepsDone: number;
  /** Failed tries of the step that is due. */
  tries: number;
  /** Asks, checks and questions so far: they number the keys, so that no key is used twice. */
  asked: number;
  checked: number;
  questions: number;
  reports: number;
};

/** One shape per status: a field exists only in the statuses where it means something. */
export type Errand =
  | { status: 'new' }
  | (Base & { status: 'waiting'; after: string })
  | (Base & { status: 'queued' })
  | (Base & { status: 'asking'; attempt: number; deadlineMs: number; askedAtMs: number })
  | (Base & { status: 'backing-off'; untilMs: number })
  | (Base & { status: 'checking'; deadlineMs: number })
  | (Base & { status: 'needs-human'; why: Stuck; notified: boolean })
  | (Base & { status: 'done' | 'failed' | 'canceled'; reported: boolean });

export type Asking = Extract<Errand, { status: 'asking' }>;
export type Submitted = Exclude<Errand, { status: 'new' }>;

export function baseOf(errand: Submitted): Base {
  const { order, spent, stepsDone, tries, asked, checked, questions, reports } = errand;
  return { order, spent, stepsDone, tries, asked, checked, questions, reports };
}

export function askKey(asked: number): string {
  return `ask-${asked}`;
}

export function hasEnded(errand: Errand): boolean {
  return errand.status === 'done' || errand.status === 'failed' || errand.status === 'canceled';
}

/** What is spent once an ask has ended: what it used, and the time it took. */
export function spentAfter(errand: Submitted, usage: Usage, atMs: number): Spent {
  const activeMs = errand.status === 'asking' ? Math.max(0, atMs - errand.askedAtMs) : 0;
  const { costMicroUsd, inputTokens, outputTokens } = usage;
  return addSpent(errand.spent, { costMicroUsd, tokens: inputTokens + outputTokens, activeMs });
}

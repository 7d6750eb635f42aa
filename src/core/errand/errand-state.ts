import type { Spent } from '../kernel/budget.js';
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

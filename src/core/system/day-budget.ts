import {
  type Dimension,
  exhausted,
  type Limits,
  NOTHING_SPENT,
  nearlyExhausted,
  type Spent,
} from '../kernel/budget.js';
import { quoted } from '../policy/rule.js';

/** What may be spent on one day of UTC: by one project, or, where that is null, by all together. */
export type DayBudget = { project: string | null; limits: DayLimits };
export type DayLimits = Pick<Limits, 'costMicroUsd' | 'tokens'>;
export type DaySpent = Pick<Spent, 'costMicroUsd' | 'tokens'>;

/** `fine`: there is enough left. */
export type BudgetLevel = 'fine' | 'near' | 'used';
export type JudgedBudget = DayBudget & { spent: DaySpent; level: BudgetLevel };

export const BUDGETS_MAX = 1_000;
const DAY_MS = 86_400_000;
const MICRO = 1_000_000;
const RAISE_BY = 1.5;

/** Days are counted; a day ends where the next one begins. */
export const dayOf = (atMs: number): number => Math.floor(atMs / DAY_MS);
export const dayBeginsMs = (day: number): number => day * DAY_MS;

/** By whom it is looked up; no project is called nothing. */
export const budgetKey = (project: string | null): string => project ?? '';

/** Those that concern a project: its own, and the one of all. */
export function judgeBudgets(
  budgets: ReadonlyMap<string, DayBudget>,
  project: string,
  spentBy: (project: string | null) => DaySpent,
): JudgedBudget[] {
  return [project, null].flatMap((whose) => {
    const budget = budgets.get(budgetKey(whose));
    return budget ? [judgeBudget(budget, spentBy(whose))] : [];
  });
}

export function judgeBudget({ project, limits }: DayBudget, spent: DaySpent): JudgedBudget {
  return { project, limits, spent, level: levelOf(limits, { ...NOTHING_SPENT, ...spent }) };
}

function levelOf(limits: DayLimits, spent: Spent): BudgetLevel {
  if (exhausted(limits, spent)) return 'used';
  return nearlyExhausted(limits, spent).length > 0 ? 'near' : 'fine';
}

export function usedDimension({ limits, spent }: Pick<JudgedBudget, 'limits' | 'spent'>): Dimension {
  return exhausted(limits, { ...NOTHING_SPENT, ...spent }) ?? 'costMicroUsd';
}

/** For whoever waits for it, and whoever is asked: the figures, when it goes on, and what helps at once. */
export function usedReason(judged: JudgedBudget): string {
  return `${usedWords(judged)}; goes on at 00:00 UTC, or raise it: ${raiseCommand(judged)}`;
}

export function usedWords(judged: Omit<JudgedBudget, 'level'>): string {
  const { project, limits, spent } = judged;
  const who = project === null ? 'all projects together have' : `project ${project} has`;
  if (usedDimension(judged) === 'tokens') return `${who} used ${spent.tokens} of ${limits.tokens} tokens today`;
  return `${who} used ${usd(spent.costMicroUsd)} of ${usd(limits.costMicroUsd ?? 0)} today`;
}

function raiseCommand(judged: JudgedBudget): string {
  const { project, limits, spent } = judged;
  const more = (limit = 0, used = 0): number => Math.ceil(Math.max(limit, used) * RAISE_BY);
  const ofTokens = usedDimension(judged) === 'tokens';
  const cost = limits.costMicroUsd;
  const money = ofTokens
    ? cost === undefined
      ? 'none'
      : String(cost / MICRO)
    : String(more((cost ?? 0) / MICRO, spent.costMicroUsd / MICRO));
  const tokens = ofTokens ? more(limits.tokens, spent.tokens) : limits.tokens;
  const words = ['baton budget set', money, ...(tokens === undefined ? [] : ['--tokens', String(tokens)])];
  return [...words, ...(project === null ? [] : ['--project', quoted(project)])].join(' ');
}

const usd = (micro: number): string => `$${(micro / MICRO).toFixed(2)}`;

import type { KeptToken } from '../access/token.js';
import type { EffectResult, PathClaim } from '../kernel/effect.js';
import type { Rule } from '../policy/rule.js';
import type { BudgetLevel, DayBudget, DayLimits, DaySpent } from './day-budget.js';
import type { KeptNotifier } from './notifier.js';

export type SystemCommand =
  | ({ type: 'Lock'; atMs: number; holder: string } & PathClaim)
  | { type: 'Unlock'; atMs: number; holder: string; token: number }
  | { type: 'LoseLogin'; atMs: number; login: string }
  | { type: 'LimitLogin'; atMs: number; login: string; untilMs: number }
  /** Whoever may ask although it is lost, to see whether it works again. */
  | { type: 'TryLogin'; atMs: number; login: string }
  /** A person says that it works: whoever is next need not wait. */
  | { type: 'TryLoginNow'; atMs: number; login: string }
  | { type: 'FindLogin'; atMs: number; login: string }
  | { type: 'AddRule'; atMs: number; rule: ScopedRule }
  | { type: 'RemoveRule'; atMs: number; id: number }
  | { type: 'AddToken'; atMs: number; token: KeptToken }
  | { type: 'RevokeToken'; atMs: number; name: string }
  | { type: 'AddNotifier'; atMs: number; notifier: KeptNotifier }
  | { type: 'RemoveNotifier'; atMs: number; name: string }
  /** Somebody was not told, however often it was tried. */
  | { type: 'NoteUntold'; atMs: number; name: string; run: string; reason: string }
  /** Requests that the server has turned away since it last told. */
  | { type: 'NoteRefused'; atMs: number; refused: readonly RefusedRequests[] }
  | BudgetCommand
  | EffectResult;

/** Null is the budget of all projects together. */
export type BudgetCommand =
  | { type: 'SetBudget'; atMs: number; project: string | null; limits: DayLimits | null }
  | { type: 'RaiseBudget'; atMs: number; question: number; total: number }
  /** A person leaves it as it is. */
  | { type: 'LeaveBudget'; atMs: number; question: number }
  | { type: 'NoteBudget'; atMs: number; project: string | null; day: number; level: BudgetLevel; spent: DaySpent }
  | { type: 'NoteBudgetTold'; atMs: number; project: string | null; day: number; level: BudgetLevel };

export type SystemEvent =
  | ({ atMs: number } & (
      | ({ type: 'PathsLocked'; holder: string; token: number } & PathClaim)
      | { type: 'PathsUnlocked'; holder: string }
      /** `loss` counts how often logins were lost: each loss is a question of its own. */
      | { type: 'LoginLost'; login: string; untilMs: number; loss: number }
      | { type: 'LoginLimited'; login: string; untilMs: number }
      | { type: 'LoginTried'; login: string; untilMs: number }
      | { type: 'LoginFound'; login: string; loss: number | null }
      /** Numbered in the order they were made; a number is never used again. */
      | { type: 'RuleAdded'; id: number; rule: ScopedRule }
      | { type: 'RuleRemoved'; id: number; why: 'taken-back' | 'expired' }
      | { type: 'TokenAdded'; token: KeptToken }
      | { type: 'TokenRevoked'; name: string }
      | { type: 'NotifierAdded'; notifier: KeptNotifier }
      | { type: 'NotifierRemoved'; name: string }
      | { type: 'NoticeFailed'; name: string; run: string; reason: string }
      | { type: 'RequestsRefused'; refused: readonly RefusedRequests[] }
    ))
  | BudgetEvent;

/** `question` is the one that this opens or closes. */
export type BudgetEvent = { atMs: number; project: string | null } & (
  | { type: 'BudgetSet'; limits: DayLimits; question: number | null }
  | { type: 'BudgetRemoved'; question: number | null }
  | { type: 'BudgetNear'; day: number; spent: DaySpent; limits: DayLimits }
  | { type: 'BudgetUsed'; day: number; spent: DaySpent; limits: DayLimits; question: number }
  | { type: 'BudgetTold'; day: number; level: BudgetLevel }
  | { type: 'BudgetLeft'; question: number }
  /** Its day is over. */
  | { type: 'BudgetRenewed'; question: number }
);

/** `alert` is the last that was said of it; `told`: people were notified. */
export type KeptBudget = DayBudget & {
  alert: { day: number; level: 'near' | 'used'; spent: DaySpent; told: boolean; question: number | null } | null;
};

/** Told together, so that whoever is turned away a thousand times does not fill the log. */
export type RefusedRequests = {
  code: string;
  method: string;
  path: string;
  from: string;
  by: string | null;
  count: number;
};

/** A kept rule always says for which repository it is, and who made it. */
export type ScopedRule = Rule & { repo: string; author: string };

/** Nobody asks before `untilMs`; of those who wait for a lost login, one may then try. Without a loss it is at its limit. */
export type ClosedLogin = { loss: number | null; untilMs: number };
export type SystemState = {
  /** How often paths were locked. */
  lockings: number;
  /** By the run that has them; the token tells one locking of a run from the next. */
  locks: Map<string, PathClaim & { token: number }>;
  losses: number;
  logins: Map<string, ClosedLogin>;
  /** How many rules were ever made. */
  rulings: number;
  rules: Map<number, ScopedRule>;
  /** By their names. */
  tokens: Map<string, KeptToken>;
  notifiers: Map<string, KeptNotifier>;
  /** By their projects; that of all has no name. */
  budgets: Map<string, KeptBudget>;
  /** How often somebody was asked about one. */
  budgetQuestions: number;
};

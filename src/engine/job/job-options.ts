import { BatonError } from '../../contracts/shared/errors.js';
import type { Limits } from '../../core/kernel/budget.js';
import type { DayLimits } from '../../core/system/day-budget.js';

/** What a person may say about a job, spelt as in the body of the API. */
export type JobOptions = {
  prompt: string;
  id?: string;
  name?: string;
  description?: string;
  agent?: string;
  supervisor?: string;
  workflow?: 'worker' | 'worker-supervisor';
  phases?: readonly PhaseOptions[];
  repo?: string;
  project?: string;
  base?: string;
  dirty?: boolean;
  paths?: readonly string[];
  setup?: readonly string[];
  checks?: readonly (readonly string[])[];
  protect?: readonly string[];
  env?: readonly string[];
  verify?: 'strict' | 'warn';
  approve?: boolean;
  after?: readonly string[];
  rank?: number;
  fallback?: string;
  on_limit?: 'wait' | 'ask' | 'fallback';
  lock?: readonly string[];
  network?: readonly string[];
  limits?: LimitOptions;
  timeout_seconds?: number;
  activate?: boolean;
  project_file?: string;
  /** A history from elsewhere, kept as its past. */
  history?: string;
};
export type PhaseOptions = {
  name: string;
  role: string;
  agent: string;
  instructions?: string;
  on_retry?: string;
  checks?: readonly (readonly string[])[];
};
/** 0 is no limit. */
export type LimitOptions = { cost_usd?: number; time_minutes?: number; tokens?: number; interactions?: number };

/** What holds on the command line when nothing is said. */
export const SAFE_LIMITS: LimitOptions = { cost_usd: 5, time_minutes: 60, tokens: 3_000_000 };
const INTERACTIONS_MAX = 50;

export function limitsOf({ cost_usd, time_minutes, tokens, interactions }: LimitOptions): Limits {
  return {
    ...(cost_usd !== undefined && { costMicroUsd: Math.round(amount('cost', cost_usd) * 1_000_000) }),
    ...(time_minutes !== undefined && { activeMs: Math.round(amount('time', time_minutes) * 60_000) }),
    ...(tokens !== undefined && { tokens: Math.round(amount('tokens', tokens)) }),
    ...(interactions !== undefined && { asks: Math.round(amount('interactions', interactions)) }),
  };
}

/** The other way round, as a person would have said it. */
export function limitOptions({ costMicroUsd, activeMs, tokens, asks }: Limits): LimitOptions {
  return {
    ...(costMicroUsd !== undefined && { cost_usd: costMicroUsd / 1_000_000 }),
    ...(activeMs !== undefined && { time_minutes: activeMs / 60_000 }),
    ...(tokens !== undefined && { tokens }),
    ...(asks !== undefined && { interactions: asks }),
  };
}

/** Of a day; null where neither is limited. */
export function budgetLimits(usd: number | null, tokens: number | null): DayLimits | null {
  if (usd === null && tokens === null) return null;
  return limitsOf({ ...(usd !== null && { cost_usd: usd }), ...(tokens !== null && { tokens }) });
}

export function withInteractions(limits: Limits): Limits {
  return { asks: INTERACTIONS_MAX, ...limits };
}

function amount(name: string, value: number): number {
  if (Number.isFinite(value) && value >= 0) return value;
  throw new BatonError('SCHEMA_INVALID', `a limit on ${name} cannot be ${value}`);
}

import type { JobActBody } from '../../contracts/generated/types/job-act.js';
import type { LimitOptions } from '../../engine/job/job-options.js';

type Limits = Pick<JobActBody, 'cost_usd' | 'cost_cents' | 'time_minutes' | 'tokens'>;

/** The limits that a body names; what it does not name is absent. */
export function limitsIn({ cost_usd, cost_cents, time_minutes, tokens }: Limits): LimitOptions {
  const cost = cost_usd ?? (cost_cents === undefined ? undefined : cost_cents / 100);
  return {
    ...(cost !== undefined && { cost_usd: cost }),
    ...(time_minutes !== undefined && { time_minutes }),
    ...(tokens !== undefined && { tokens }),
  };
}

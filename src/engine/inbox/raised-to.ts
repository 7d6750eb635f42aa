import { exhausted, type Limits, type Spent } from '../../core/kernel/budget.js';
import { limitsOf } from '../job/job-options.js';

/** A new total of the limit that is reached, in the unit people know: dollars, minutes, tokens or handoffs. */
export function raisedTo(limits: Limits, spent: Spent, total: number): Limits {
  switch (exhausted(limits, spent)) {
    case 'activeMs':
      return limitsOf({ time_minutes: total });
    case 'tokens':
      return limitsOf({ tokens: total });
    case 'asks':
      return limitsOf({ interactions: total });
    default:
      return limitsOf({ cost_usd: total });
  }
}

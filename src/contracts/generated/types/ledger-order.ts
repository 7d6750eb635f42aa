// Generated from schemas/ by `npm run generate`. Do not edit.

/**
 * What is said to open a ledger: the flags of `baton operator init`, in snake_case, with a plan, a handoff bundle, or an objective that somebody plans.
 */
export interface LedgerOrderBody {
  /**
   * The work, as the contract `plan` has it.
   */
  plan?: {
    [k: string]: unknown;
  };
  /**
   * Instead of a plan: a `handoff-bundle` to go on from.
   */
  handoff?: {
    [k: string]: unknown;
  };
  /**
   * Instead of a plan: what is to be reached; the planner is asked for a plan at once.
   */
  objective?: string;
  /**
   * Absolute path of a git repository on the server's machine.
   */
  repo: string;
  /**
   * Who does tasks that name nobody.
   */
  agent?: string;
  /**
   * Who does what that one could not.
   */
  fallback?: string;
  /**
   * Who plans, and again when tasks are blocked.
   */
  planner?: string;
  /**
   * Tasks at work at once; what the plan says, or 4, when absent.
   */
  concurrency?: number;
  /**
   * Whose work and money it is; the name of the repository when absent.
   */
  project?: string;
  /**
   * Names of variables that agents may see.
   *
   * @maxItems 1000
   */
  env?: string[];
  /**
   * Hosts that agents may reach.
   *
   * @maxItems 1000
   */
  net?: string[];
  /**
   * Limit of all tasks together in US dollars; 0 is none.
   */
  cost_usd?: number;
  /**
   * The same in cents.
   */
  cost_cents?: number;
  /**
   * Limit of working time; 0 is none.
   */
  time_minutes?: number;
  /**
   * Limit of tokens; 0 is none.
   */
  tokens?: number;
}

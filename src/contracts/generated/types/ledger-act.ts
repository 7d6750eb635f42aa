// Generated from schemas/ by `npm run generate`. Do not edit.

/**
 * What is said about a ledger or one of its tasks: the arguments of `baton operator`, in snake_case.
 */
export interface LedgerActBody {
  /**
   * Which task.
   */
  task_id?: string;
  /**
   * Who works on it.
   */
  owner?: string;
  /**
   * The number of the claim; absent after an assignment by name.
   */
  epoch?: number;
  /**
   * When, by the clock of whoever works; it is only looked at.
   */
  at?: string;
  /**
   * Tasks at work at once from now on.
   */
  concurrency?: number;
  /**
   * Who does tasks that name nobody, from now on.
   */
  agent?: string;
  /**
   * Who does what that one could not, from now on.
   */
  fallback?: string;
}

// Generated from schemas/ by `npm run generate`. Do not edit.

/**
 * What is said with an act on a job; each act takes of it what it needs.
 */
export interface JobActBody {
  /**
   * What the agent is told.
   */
  guidance?: string;
  /**
   * Where it goes on.
   */
  phase?: string;
  /**
   * The new total; 0 is no limit.
   */
  cost_usd?: number;
  /**
   * The same in cents.
   */
  cost_cents?: number;
  /**
   * The new total.
   */
  time_minutes?: number;
  /**
   * The new total.
   */
  tokens?: number;
  /**
   * What a running agent is told.
   */
  text?: string;
  /**
   * Interrupt it for that.
   */
  now?: boolean;
  /**
   * A recovery point.
   */
  to?: string;
  /**
   * A phase by its number.
   */
  step?: number;
  /**
   * Files of the workspace.
   *
   * @maxItems 1000
   */
  files?: string[];
  /**
   * Of a checkpoint.
   */
  description?: string;
  /**
   * Of a fork: another task.
   */
  prompt?: string;
  /**
   * Of a fork: its name.
   */
  id?: string;
  /**
   * Of a landing: the branch.
   */
  into?: string;
  /**
   * Of a landing: one commit.
   */
  squash?: boolean;
  /**
   * Whose answer is handed in: Worker, Supervisor or a role of one's own.
   */
  role?: string;
  /**
   * Which handoff it answers.
   */
  handoff?: string;
  /**
   * Of an answer that is handed in: only tell what would come of it.
   */
  dry_run?: boolean;
  /**
   * The answer: text, or the object itself.
   */
  response?:
    | string
    | {
        [k: string]: unknown;
      };
  /**
   * Its place in the queue: lower ranks first.
   */
  rank?: number;
}

// Generated from schemas/ by `npm run generate`. Do not edit.

/**
 * What is said to make a job: the flags of `baton job create`, in snake_case.
 */
export interface JobOrderBody {
  /**
   * What is to be done.
   */
  prompt: string;
  /**
   * Name of the job; one is made when it is absent.
   */
  id?: string;
  /**
   * Short title.
   */
  name?: string;
  /**
   * More about it, for people.
   */
  description?: string;
  /**
   * Who works.
   */
  agent?: string;
  /**
   * Who reviews, or `none`.
   */
  supervisor?: string;
  /**
   * Which phases there are.
   */
  workflow?: 'worker' | 'worker-supervisor';
  /**
   * Phases of one's own, as in the file of `--phases`.
   *
   * @maxItems 100
   */
  phases?: {
    [k: string]: unknown;
  }[];
  /**
   * Absolute path of a git repository on the server's machine.
   */
  repo?: string;
  /**
   * Whose work and money it is; the name of the repository when absent.
   */
  project?: string;
  /**
   * Where the work begins: a branch, tag or commit.
   */
  base?: string;
  /**
   * Take uncommitted files along.
   */
  dirty?: boolean;
  /**
   * Only these paths of the repository.
   *
   * @maxItems 1000
   */
  paths?: string[];
  /**
   * Words separated by spaces, or a list of words; no shell.
   *
   * @minItems 1
   */
  setup?: string | [string, ...string[]];
  /**
   * Commands that must pass.
   *
   * @maxItems 100
   */
  checks?: (string | [string, ...string[]])[];
  /**
   * Files that must not be changed.
   *
   * @maxItems 1000
   */
  protect?: string[];
  /**
   * Names of variables that the agent may see.
   *
   * @maxItems 1000
   */
  env?: string[];
  /**
   * Hosts that the agent may reach.
   *
   * @maxItems 1000
   */
  net?: string[];
  /**
   * Paths that nobody else may have while it works.
   *
   * @maxItems 1000
   */
  lock?: string[];
  /**
   * Jobs that must have ended well before.
   *
   * @maxItems 1000
   */
  after?: string[];
  /**
   * What follows from evidence that does not exist.
   */
  verify?: 'strict' | 'warn';
  /**
   * Ask a person before it counts as done.
   */
  approve?: boolean;
  /**
   * Who goes on when the provider is at its limit.
   */
  fallback?: string;
  /**
   * Lower ranks first.
   */
  rank?: number;
  /**
   * Limit in US dollars; 0 is none.
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
  /**
   * Of one handoff.
   */
  timeout_seconds?: number;
  /**
   * Not only a draft.
   */
  activate?: boolean;
}

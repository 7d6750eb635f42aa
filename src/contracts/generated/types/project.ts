// Generated from schemas/ by `npm run generate`. Do not edit.

/**
 * Says what happens when an agent wants to leave its sandbox. A rule names a command, a host or a folder.
 *
 * This interface was referenced by `ProjectFile`'s JSON-Schema
 * via the `definition` "Rule".
 */
export type Rule = Rule1 & {
  /**
   * What happens. deny is stronger than ask, ask stronger than allow.
   */
  decision: 'allow' | 'deny' | 'ask';
  /**
   * How the command must begin, word by word.
   *
   * @minItems 1
   */
  argv?: [string, ...string[]];
  /**
   * Folder the command must run in.
   */
  folder?: string;
  /**
   * Host that is reached.
   */
  host?: string;
  /**
   * Agent the rule is for. Absent means any agent of this repository.
   */
  agent?: string;
  /**
   * Repository the rule is for. Absent means this one.
   */
  repo?: string;
  /**
   * When the rule ends.
   */
  expires_at?: string;
  /**
   * Who made the rule.
   */
  author?: string;
};
export type Rule1 = {
  [k: string]: unknown;
};

/**
 * The file baton.json of a repository: how its jobs are prepared, checked and limited.
 */
export interface ProjectFile {
  /**
   * Schema for editors; not read by Baton.
   */
  $schema?: string;
  /**
   * Version of this file format. An unknown major version is refused.
   */
  schema_version?: string;
  /**
   * Run once in a fresh workspace before the first agent is asked.
   *
   * @minItems 1
   */
  setup?: string | [string, ...string[]];
  /**
   * Commands that must succeed before work counts as done.
   */
  checks?: (string | [string, ...string[]])[];
  /**
   * Patterns of files that agents may not change unseen.
   */
  protect?: string[];
  /**
   * Agent that does the work.
   */
  agent?: string;
  /**
   * Agent that reviews the work; none for no review.
   */
  supervisor?: string;
  limits?: Limits;
  /**
   * Hosts that agents and setup may reach. A leading star and dot stands for all names below.
   */
  network?: string[];
  /**
   * Names of environment variables that are passed on.
   */
  env?: string[];
  /**
   * What may leave the sandbox.
   */
  rules?: Rule[];
}
/**
 * Limits on the work. Zero means no limit.
 *
 * This interface was referenced by `ProjectFile`'s JSON-Schema
 * via the `definition` "Limits".
 */
export interface Limits {
  /**
   * Money, in US dollars.
   */
  cost_usd?: number;
  /**
   * Active time, in minutes.
   */
  time_minutes?: number;
  /**
   * Input and output tokens together.
   */
  tokens?: number;
  /**
   * How often agents may be asked.
   */
  interactions?: number;
}

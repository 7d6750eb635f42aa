// Generated from schemas/ by `npm run generate`. Do not edit.

/**
 * What the agent may do: a level of the classification such as Restricted, or an object that narrows it further.
 *
 * This interface was referenced by `AgentRegistration`'s JSON-Schema
 * via the `definition` "AgentSecurity".
 */
export type AgentSecurity =
  | string
  | {
      /**
       * Level of the classification, such as Full-Access, Restricted or Public.
       */
      level?: string;
      /**
       * The widest sandbox the agent may run in.
       */
      sandbox?: 'read-only' | 'workspace-write' | 'danger-full-access';
      /**
       * Hosts the agent may reach.
       */
      network?: string[];
      /**
       * Files and folders the agent may change, relative to the workspace root.
       */
      paths?: string[];
      /**
       * Tools the agent may use.
       */
      tools?: string[];
      [k: string]: unknown;
    };

/**
 * An agent that can be asked: how it is reached, what it is good for and what it may do.
 */
export interface AgentRegistration {
  /**
   * Version of this file format. An unknown major version is refused.
   */
  schema_version?: string;
  /**
   * Name the agent is asked by.
   */
  id: string;
  /**
   * How the agent is reached.
   */
  adapter: 'codex' | 'claude' | 'acp' | 'command' | 'http' | 'queue' | 'model' | 'bridge' | 'human' | 'scripted';
  /**
   * What the agent is for.
   */
  description?: string;
  /**
   * Program and arguments, run without a shell. Text is split at blanks, quotes respected. Needed by command and acp.
   *
   * @minItems 1
   */
  command?: string | [string, ...string[]];
  /**
   * Path of the program, where it is not found by itself. For codex and claude.
   */
  bin?: string;
  /**
   * Model to use.
   */
  model?: string;
  /**
   * Address of the model service.
   */
  base_url?: string;
  /**
   * Whose login is used: a key that Baton holds, or the program's own login.
   */
  login?: 'key' | 'own';
  /**
   * Address requests are sent to. Needed by http.
   */
  url?: string;
  /**
   * Names of environment variables it is given. Of a provider's key it gets a token in its place.
   */
  env?: string[];
  /**
   * HTTP headers to add, each with the name of the environment variable that holds its value.
   */
  header_env?: {
    [k: string]: string;
  };
  /**
   * Whether the address may be a loopback or private one.
   */
  allow_private?: boolean;
  /**
   * Protocol the model service speaks.
   */
  wire?: 'responses' | 'chat' | 'messages';
  /**
   * Folder of the request and response files. Needed by bridge.
   */
  dir?: string;
  /**
   * File with the answers to give. Needed by scripted.
   */
  file?: string;
  /**
   * Sandbox the agent runs in.
   */
  sandbox?: 'read-only' | 'workspace-write' | 'danger-full-access';
  /**
   * Labels a worker must have to run this agent.
   */
  labels?: string[];
  /**
   * Six parts with dots between them: primary type, domain, capability, role, lifecycle, security.
   */
  classification?: string;
  /**
   * The agent this one belongs to.
   */
  parent?: string;
  /**
   * What the agent can do.
   */
  capabilities?: string[];
  security?: AgentSecurity;
  limits?: AgentLimits;
  /**
   * Whether the agent can take work now.
   */
  status?: 'available' | 'busy' | 'waiting' | 'unhealthy' | 'offline';
  /**
   * Where the agent is in its life.
   */
  state?:
    | 'Defined'
    | 'Provisioning'
    | 'Initialized'
    | 'Running'
    | 'Paused'
    | 'Maintaining'
    | 'Evolving'
    | 'Retiring'
    | 'Retired';
  [k: string]: unknown;
}
/**
 * Limits on the work. Zero means no limit.
 *
 * This interface was referenced by `AgentRegistration`'s JSON-Schema
 * via the `definition` "AgentLimits".
 */
export interface AgentLimits {
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
  [k: string]: unknown;
}

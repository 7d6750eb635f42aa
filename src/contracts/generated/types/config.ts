// Generated from schemas/ by `npm run generate`. Do not edit.

/**
 * The file config.json in Baton's own folder: what holds for all jobs of this user unless a repository or a flag says otherwise.
 */
export interface ConfigFile {
  /**
   * Schema for editors; not read by Baton.
   */
  $schema?: string;
  /**
   * Version of this file format. An unknown major version is refused.
   */
  schema_version?: string;
  /**
   * Agent that does the work.
   */
  agent?: string;
  /**
   * Agent that reviews the work; none for no review.
   */
  supervisor?: string;
  /**
   * Agent that takes over when another is at its limit.
   */
  fallback?: string;
  /**
   * What to do when a provider or plan is at its limit.
   */
  on_limit?: 'wait' | 'ask' | 'fallback';
  limits?: Limits;
  /**
   * What missing evidence leads to: another try, or a warning.
   */
  verify?: 'strict' | 'warn';
  /**
   * Time for one handoff, in seconds.
   */
  timeout_seconds?: number;
  /**
   * How agents are kept apart from this machine.
   */
  sandbox?: {
    /**
     * Which sandbox to use; auto takes the strongest there is.
     */
    mode?: 'bwrap' | 'seatbelt' | 'agent' | 'external' | 'none' | 'auto';
    /**
     * Where setup commands run: inside the sandbox, or outside it with your rights.
     */
    setup?: 'workspace-write' | 'danger-full-access';
  };
  /**
   * Services of models whose keys Baton holds for agents.
   */
  providers?: {
    openai?: Provider;
    anthropic?: Provider;
  };
  /**
   * Who may approve.
   */
  approvals?: {
    /**
     * Whether whoever created a job may not approve it.
     */
    four_eyes?: boolean;
  };
  /**
   * How baton serve behaves.
   */
  server?: {
    /**
     * What the server logs.
     */
    log_level?: 'error' | 'warn' | 'info' | 'debug' | 'silent';
  };
  /**
   * How much runs at once.
   */
  concurrency?: {
    /**
     * Handoffs at once for one login.
     */
    per_login?: number;
    /**
     * Handoffs at once for one agent.
     */
    per_agent?: number;
  };
  /**
   * How tasks of a ledger are kept apart.
   */
  operator?: {
    /**
     * Whether an agent can read the forbidden_scope of its task; hidden also takes git away from it.
     */
    forbidden_scope?: 'read-only' | 'hidden';
  };
  /**
   * Programs and services that the steps of a plan may use, by name, besides the built-in ones.
   */
  tools?: {
    [k: string]: RegisteredTool;
  };
  /**
   * What holds for sessions unless a client says otherwise.
   */
  session?: {
    /**
     * Model that a session asks, by its name at the provider.
     */
    model?: string;
    /**
     * What a model is sent: the whole thread each time, or only what is new, when its provider keeps the rest.
     */
    history?: 'full' | 'server';
    /**
     * Tokens that fit into the window of the model. A thread that nears it is summarised.
     */
    context_window?: number;
    /**
     * When a person is asked before something is done.
     */
    approval_policy?: 'untrusted' | 'on-failure' | 'on-request' | 'never';
    /**
     * What commands of a session may change: nothing, its folder, or everything.
     */
    sandbox_mode?: 'read-only' | 'workspace-write' | 'danger-full-access';
    /**
     * Servers of the Model Context Protocol whose tools a session may use, by name.
     */
    mcp_servers?: {
      [k: string]: SessionServer;
    };
  };
  /**
   * Days after which finished runs are archived. Zero means never.
   */
  retention_days?: number;
  /**
   * Further words allowed in each part of an agent's classification.
   */
  classification?: {
    /**
     * First part.
     */
    primary_type?: string[];
    /**
     * Second part.
     */
    domain?: string[];
    /**
     * Third part.
     */
    capability?: string[];
    /**
     * Fourth part.
     */
    role?: string[];
    /**
     * Fifth part.
     */
    lifecycle?: string[];
    /**
     * Sixth part.
     */
    security?: string[];
  };
}
/**
 * Limits on the work. Zero means no limit.
 *
 * This interface was referenced by `ConfigFile`'s JSON-Schema
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
/**
 * A service of models.
 *
 * This interface was referenced by `ConfigFile`'s JSON-Schema
 * via the `definition` "Provider".
 */
export interface Provider {
  /**
   * Where it is, when that is not the vendor's own address; written as programs of that vendor expect it.
   */
  base_url?: string;
  /**
   * Name of the environment variable that holds its key, when that is not the usual one.
   */
  key_env?: string;
}
/**
 * A tool: a command, an address, or a tool of an MCP server. Exactly one of command, url and mcp says which.
 *
 * This interface was referenced by `ConfigFile`'s JSON-Schema
 * via the `definition` "RegisteredTool".
 */
export interface RegisteredTool {
  /**
   * Program and arguments, run without a shell. Text is split at blanks, quotes respected. Gets the parameters as JSON on its standard input.
   *
   * @minItems 1
   */
  command?: string | [string, ...string[]];
  /**
   * Address that the parameters are posted to as JSON.
   */
  url?: string;
  mcp?: McpServer;
  /**
   * Name of the tool at the MCP server, when it has another one there.
   */
  tool?: string;
  /**
   * What it can do: only look, change things, or destroy them. Whatever does not only look is asked for before it runs.
   */
  risk: 'read_only' | 'write' | 'destructive';
  /**
   * What it does, for people and for whoever plans.
   */
  description?: string;
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
   * Names of environment variables that the program is given.
   */
  env?: string[];
  /**
   * Hosts that the program may reach from its sandbox, through a proxy. A leading star and dot stands for all names below.
   */
  network?: string[];
  /**
   * Time for one use, in seconds.
   */
  timeout_seconds?: number;
}
/**
 * A server that speaks the Model Context Protocol: a program on its standard input and output, or an address.
 *
 * This interface was referenced by `ConfigFile`'s JSON-Schema
 * via the `definition` "McpServer".
 */
export interface McpServer {
  /**
   * Program and arguments, run without a shell.
   *
   * @minItems 1
   */
  command?: string | [string, ...string[]];
  /**
   * Address of a server that is reached by streamable HTTP.
   */
  url?: string;
}
/**
 * A server that speaks the Model Context Protocol. Exactly one of command and url says where it is.
 *
 * This interface was referenced by `ConfigFile`'s JSON-Schema
 * via the `definition` "SessionServer".
 */
export interface SessionServer {
  /**
   * Program and arguments, run without a shell and with your rights.
   *
   * @minItems 1
   */
  command?: string | [string, ...string[]];
  /**
   * Names of environment variables that the program is given.
   */
  env?: string[];
  /**
   * Address of a server that is reached by streamable HTTP.
   */
  url?: string;
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
   * Whether its tools are used without asking a person.
   */
  approve?: 'auto' | 'ask';
  /**
   * Whether to believe the server which of its tools only read.
   */
  trust_annotations?: boolean;
}

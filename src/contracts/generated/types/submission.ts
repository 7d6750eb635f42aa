// Generated from schemas/ by `npm run generate`. Do not edit.

/**
 * What the agent may do: a level of the classification such as Restricted, or an object that narrows it further.
 *
 * This interface was referenced by `Submission`'s JSON-Schema
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
 * One message from a client to a session.
 */
export interface Submission {
  /**
   * Name the client gives to this message; answers carry it.
   */
  id: string;
  /**
   * What the client asks for.
   */
  op:
    | ConfigureSession
    | UserInput
    | Interrupt
    | ExecApproval
    | PatchApproval
    | AddToHistory
    | GetHistoryEntryRequest
    | Compact
    | Attach
    | Authenticate
    | Shutdown
    | ConfigureAgent
    | SpawnSubAgent
    | RegisterAgent
    | LifecycleTransition
    | KnowledgeUpdate;
  [k: string]: unknown;
}
/**
 * Sets up the session, or sets it up anew. Must come first.
 *
 * This interface was referenced by `Submission`'s JSON-Schema
 * via the `definition` "ConfigureSession".
 */
export interface ConfigureSession {
  type: 'configure_session';
  /**
   * Folder to work in, absolute.
   */
  cwd: string;
  /**
   * Model to use.
   */
  model?: string;
  /**
   * Who serves the model: a name, or an object with its address.
   */
  provider?:
    | string
    | {
        [k: string]: unknown;
      };
  /**
   * Standing instructions for the model.
   */
  instructions?: string;
  /**
   * When a person is asked before something is run.
   */
  approval_policy?: 'untrusted' | 'on-failure' | 'on-request' | 'never';
  sandbox_policy?: SandboxPolicy;
  /**
   * Session or response to go on from.
   */
  resume_from?: string;
  limits?: AgentLimits;
  /**
   * Six parts with dots between them: primary type, domain, capability, role, lifecycle, security.
   */
  classification?: string;
  security?: AgentSecurity;
  /**
   * Name of the client. Messages of one client with the same id are one message, also over several connections, but each configure_session that opens a session opens another one; without a name each connection is a client of its own.
   */
  client?: string;
  [k: string]: unknown;
}
/**
 * What commands may touch.
 *
 * This interface was referenced by `Submission`'s JSON-Schema
 * via the `definition` "SandboxPolicy".
 */
export interface SandboxPolicy {
  /**
   * How much is allowed.
   */
  mode: 'read-only' | 'workspace-write' | 'danger-full-access';
  /**
   * Further folders that may be written to, absolute.
   */
  writable_roots?: string[];
  /**
   * Whether the network may be used.
   */
  network_access?: boolean;
  [k: string]: unknown;
}
/**
 * Limits on the work. Zero means no limit.
 *
 * This interface was referenced by `Submission`'s JSON-Schema
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
/**
 * Starts a task. A task that is running is stopped.
 *
 * This interface was referenced by `Submission`'s JSON-Schema
 * via the `definition` "UserInput".
 */
export interface UserInput {
  type: 'user_input';
  /**
   * What the user says and shows.
   *
   * @minItems 1
   */
  items: [TextItem | ImageItem | LocalImageItem, ...(TextItem | ImageItem | LocalImageItem)[]];
  /**
   * Response to go on from; an earlier one forks the thread.
   */
  last_response_id?: string;
  [k: string]: unknown;
}
/**
 * Words.
 *
 * This interface was referenced by `Submission`'s JSON-Schema
 * via the `definition` "TextItem".
 */
export interface TextItem {
  type: 'text';
  /**
   * The words.
   */
  text: string;
  [k: string]: unknown;
}
/**
 * A picture by its address.
 *
 * This interface was referenced by `Submission`'s JSON-Schema
 * via the `definition` "ImageItem".
 */
export interface ImageItem {
  type: 'image';
  /**
   * Address of the picture; may be a data address.
   */
  image_url: string;
  [k: string]: unknown;
}
/**
 * A picture in a file.
 *
 * This interface was referenced by `Submission`'s JSON-Schema
 * via the `definition` "LocalImageItem".
 */
export interface LocalImageItem {
  type: 'local_image';
  /**
   * Path of the file.
   */
  path: string;
  [k: string]: unknown;
}
/**
 * Stops the running task.
 *
 * This interface was referenced by `Submission`'s JSON-Schema
 * via the `definition` "Interrupt".
 */
export interface Interrupt {
  type: 'interrupt';
  [k: string]: unknown;
}
/**
 * Answers a request to run a command.
 *
 * This interface was referenced by `Submission`'s JSON-Schema
 * via the `definition` "ExecApproval".
 */
export interface ExecApproval {
  type: 'exec_approval';
  /**
   * The call_id of the request.
   */
  id: string;
  /**
   * The answer. abort also stops the task.
   */
  decision: 'approved' | 'approved_for_session' | 'denied' | 'abort';
  /**
   * With denied: what the model is told beside it.
   */
  guidance?: string;
  [k: string]: unknown;
}
/**
 * Answers a request to change files.
 *
 * This interface was referenced by `Submission`'s JSON-Schema
 * via the `definition` "PatchApproval".
 */
export interface PatchApproval {
  type: 'patch_approval';
  /**
   * The call_id of the request.
   */
  id: string;
  /**
   * The answer. abort also stops the task.
   */
  decision: 'approved' | 'approved_for_session' | 'denied' | 'abort';
  /**
   * With denied: what the model is told beside it.
   */
  guidance?: string;
  [k: string]: unknown;
}
/**
 * Adds an entry to the history of inputs.
 *
 * This interface was referenced by `Submission`'s JSON-Schema
 * via the `definition` "AddToHistory".
 */
export interface AddToHistory {
  type: 'add_to_history';
  /**
   * The entry.
   */
  text: string;
  [k: string]: unknown;
}
/**
 * Asks for one entry of the history of inputs.
 *
 * This interface was referenced by `Submission`'s JSON-Schema
 * via the `definition` "GetHistoryEntryRequest".
 */
export interface GetHistoryEntryRequest {
  type: 'get_history_entry_request';
  /**
   * Which entry, from zero.
   */
  offset: number;
  /**
   * The history_log_id of the session. Absent means the current one.
   */
  log_id?: string | number;
  [k: string]: unknown;
}
/**
 * Asks that the thread be summarised to save room.
 *
 * This interface was referenced by `Submission`'s JSON-Schema
 * via the `definition` "Compact".
 */
export interface Compact {
  type: 'compact';
  [k: string]: unknown;
}
/**
 * Joins a session that exists, seeing its events from a given place on.
 *
 * This interface was referenced by `Submission`'s JSON-Schema
 * via the `definition` "Attach".
 */
export interface Attach {
  type: 'attach';
  /**
   * The session to join.
   */
  session_id: string;
  /**
   * Events with a higher seq are sent.
   */
  after?: number;
  /**
   * Name of the client. Messages of one client with the same id are one message, also over several connections; without a name each connection is a client of its own.
   */
  client?: string;
  [k: string]: unknown;
}
/**
 * Shows who is there. Comes first wherever the connection itself does not tell.
 *
 * This interface was referenced by `Submission`'s JSON-Schema
 * via the `definition` "Authenticate".
 */
export interface Authenticate {
  type: 'authenticate';
  /**
   * The token.
   */
  token: string;
  [k: string]: unknown;
}
/**
 * Ends the session.
 *
 * This interface was referenced by `Submission`'s JSON-Schema
 * via the `definition` "Shutdown".
 */
export interface Shutdown {
  type: 'shutdown';
  [k: string]: unknown;
}
/**
 * Changes an agent.
 *
 * This interface was referenced by `Submission`'s JSON-Schema
 * via the `definition` "ConfigureAgent".
 */
export interface ConfigureAgent {
  type: 'configure_agent';
  /**
   * The agent.
   */
  agent_id: string;
  /**
   * Fields of the registration and their new values.
   */
  changes: {
    [k: string]: unknown;
  };
  [k: string]: unknown;
}
/**
 * Asks for a new agent under an existing one.
 *
 * This interface was referenced by `Submission`'s JSON-Schema
 * via the `definition` "SpawnSubAgent".
 */
export interface SpawnSubAgent {
  type: 'spawn_sub_agent';
  spec: SubAgent;
  [k: string]: unknown;
}
/**
 * Asks for a new agent under an existing one. Its limits come out of the parent's and its rights never go beyond them.
 *
 * This interface was referenced by `Submission`'s JSON-Schema
 * via the `definition` "SubAgent".
 */
export interface SubAgent {
  /**
   * Name of the new agent. Absent means one is made up.
   */
  id?: string;
  /**
   * The agent the new one belongs to.
   */
  parent_id: string;
  /**
   * What the new agent is for.
   */
  purpose: string;
  /**
   * Registered agent that does the work. Absent means the parent's.
   */
  agent?: string;
  /**
   * Standing instructions for the new agent.
   */
  instructions?: string;
  /**
   * Six parts with dots between them: primary type, domain, capability, role, lifecycle, security.
   */
  classification?: string;
  /**
   * What the new agent must be able to do.
   */
  capabilities?: string[];
  security?: AgentSecurity;
  limits?: AgentLimits;
  [k: string]: unknown;
}
/**
 * Makes an agent known.
 *
 * This interface was referenced by `Submission`'s JSON-Schema
 * via the `definition` "RegisterAgent".
 */
export interface RegisterAgent {
  type: 'register_agent';
  agent: Registration;
  /**
   * The agent it belongs to.
   */
  parent_id?: string;
  [k: string]: unknown;
}
/**
 * An agent that can be asked: how it is reached, what it is good for and what it may do.
 *
 * This interface was referenced by `Submission`'s JSON-Schema
 * via the `definition` "Registration".
 */
export interface Registration {
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
 * Asks that an agent move to another state of its life.
 *
 * This interface was referenced by `Submission`'s JSON-Schema
 * via the `definition` "LifecycleTransition".
 */
export interface LifecycleTransition {
  type: 'lifecycle_transition';
  /**
   * The agent.
   */
  agent_id: string;
  /**
   * State to move to.
   */
  to:
    | 'Defined'
    | 'Provisioning'
    | 'Initialized'
    | 'Running'
    | 'Paused'
    | 'Maintaining'
    | 'Evolving'
    | 'Retiring'
    | 'Retired';
  /**
   * Why.
   */
  reason?: string;
  [k: string]: unknown;
}
/**
 * Gives an agent something to know.
 *
 * This interface was referenced by `Submission`'s JSON-Schema
 * via the `definition` "KnowledgeUpdate".
 */
export interface KnowledgeUpdate {
  type: 'knowledge_update';
  /**
   * The agent.
   */
  agent_id: string;
  /**
   * What to know.
   *
   * @minItems 1
   */
  entries: [KnowledgeEntry, ...KnowledgeEntry[]];
  [k: string]: unknown;
}
/**
 * One thing to know.
 *
 * This interface was referenced by `Submission`'s JSON-Schema
 * via the `definition` "KnowledgeEntry".
 */
export interface KnowledgeEntry {
  /**
   * Name of the entry; an entry of the same name is replaced.
   */
  id?: string;
  /**
   * What it is about.
   */
  title?: string;
  /**
   * The knowledge itself.
   */
  text: string;
  /**
   * Where it comes from.
   */
  source?: string;
  /**
   * Words to find it by.
   */
  tags?: string[];
  [k: string]: unknown;
}

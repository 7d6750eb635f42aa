// Generated from schemas/ by `npm run generate`. Do not edit.

/**
 * One message from a session to its clients.
 */
export interface SessionEvent {
  /**
   * The id of the input that started the task, else of the message that is answered; empty for a line that could not be read.
   */
  id: string;
  /**
   * Place in what is kept of the session. It goes up, and numbers may be left out. What is only streamed, or is for one client alone, has none.
   */
  seq?: number;
  /**
   * What happened. A type that is not known here is allowed; more may come.
   */
  msg: {
    /**
     * What kind of message this is.
     */
    type: string;
    /**
     * How another agent should take the message, such as response.
     */
    message_type?: string;
    visualizationContext?: VisualizationContext;
    cort_context?: CoRTContext;
    [k: string]: unknown;
  };
  [k: string]: unknown;
}
/**
 * Which diagram a message belongs to and what to highlight in it.
 *
 * This interface was referenced by `SessionEvent`'s JSON-Schema
 * via the `definition` "VisualizationContext".
 */
export interface VisualizationContext {
  /**
   * The diagram.
   */
  diagramId: string;
  /**
   * The step of the animation this message stands for.
   */
  animationStepId?: string;
  /**
   * Elements of the diagram to highlight.
   */
  highlightElements?: string[];
  [k: string]: unknown;
}
/**
 * Ties a message or result to the reasoning behind it.
 *
 * This interface was referenced by `SessionEvent`'s JSON-Schema
 * via the `definition` "CoRTContext".
 */
export interface CoRTContext {
  /**
   * The reasoning tree.
   */
  trace_id?: string;
  /**
   * How sure the reasoning is of its result.
   */
  confidence?: number;
  [k: string]: unknown;
}
/**
 * The session is set up.
 *
 * This interface was referenced by `SessionEvent`'s JSON-Schema
 * via the `definition` "SessionConfigured".
 */
export interface SessionConfigured {
  type: 'session_configured';
  /**
   * The session.
   */
  session_id: string;
  /**
   * Model in use.
   */
  model: string;
  /**
   * Folder the session works in, absolute.
   */
  cwd: string;
  /**
   * The history of inputs this session writes to.
   */
  history_log_id: string | number;
  /**
   * Entries in the history of inputs.
   */
  history_entry_count: number;
  /**
   * When a person is asked before something is run.
   */
  approval_policy?: 'untrusted' | 'on-failure' | 'on-request' | 'never';
  sandbox_policy?: SandboxPolicy;
  /**
   * Whether the session was there before.
   */
  resumed?: boolean;
  /**
   * Response that the next input goes on from; null when there is none.
   */
  last_response_id?: string | null;
  [k: string]: unknown;
}
/**
 * What commands may touch.
 *
 * This interface was referenced by `SessionEvent`'s JSON-Schema
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
 * The client is known.
 *
 * This interface was referenced by `SessionEvent`'s JSON-Schema
 * via the `definition` "Authenticated".
 */
export interface Authenticated {
  type: 'authenticated';
  /**
   * Name of the token.
   */
  name?: string;
  /**
   * What the token may do.
   */
  role?: string;
  [k: string]: unknown;
}
/**
 * A task began.
 *
 * This interface was referenced by `SessionEvent`'s JSON-Schema
 * via the `definition` "TaskStarted".
 */
export interface TaskStarted {
  type: 'task_started';
  /**
   * Room of the model, in tokens.
   */
  model_context_window?: number;
  /**
   * Whether the task only summarises the thread.
   */
  compacts?: boolean;
  /**
   * What was said to begin it.
   */
  text?: string;
  [k: string]: unknown;
}
/**
 * The model says something.
 *
 * This interface was referenced by `SessionEvent`'s JSON-Schema
 * via the `definition` "AgentMessage".
 */
export interface AgentMessage {
  type: 'agent_message';
  /**
   * What it says.
   */
  message: string;
  /**
   * The item whose streamed pieces this is the whole of.
   */
  item_id?: string;
  [k: string]: unknown;
}
/**
 * A piece of a message that is still being written.
 *
 * This interface was referenced by `SessionEvent`'s JSON-Schema
 * via the `definition` "AgentMessageDelta".
 */
export interface AgentMessageDelta {
  type: 'agent_message_delta';
  /**
   * The message the piece belongs to.
   */
  item_id: string;
  /**
   * Where in the message the piece begins.
   */
  offset: number;
  /**
   * The piece.
   */
  delta: string;
  [k: string]: unknown;
}
/**
 * The model tells what it thinks.
 *
 * This interface was referenced by `SessionEvent`'s JSON-Schema
 * via the `definition` "AgentReasoning".
 */
export interface AgentReasoning {
  type: 'agent_reasoning';
  /**
   * What it thinks.
   */
  text: string;
  /**
   * The item whose streamed pieces this is the whole of.
   */
  item_id?: string;
  [k: string]: unknown;
}
/**
 * A piece of a thought that is still being written.
 *
 * This interface was referenced by `SessionEvent`'s JSON-Schema
 * via the `definition` "AgentReasoningDelta".
 */
export interface AgentReasoningDelta {
  type: 'agent_reasoning_delta';
  /**
   * The message the piece belongs to.
   */
  item_id: string;
  /**
   * Where in the message the piece begins.
   */
  offset: number;
  /**
   * The piece.
   */
  delta: string;
  [k: string]: unknown;
}
/**
 * A person must decide whether a command may run.
 *
 * This interface was referenced by `SessionEvent`'s JSON-Schema
 * via the `definition` "ExecApprovalRequest".
 */
export interface ExecApprovalRequest {
  type: 'exec_approval_request';
  /**
   * Names this call; later events and the answer carry it.
   */
  call_id: string;
  /**
   * Program and arguments.
   *
   * @minItems 1
   */
  command: [string, ...string[]];
  /**
   * Folder it runs in, absolute.
   */
  cwd: string;
  /**
   * Why it is asked.
   */
  reason?: string | null;
  /**
   * What the answer is bound to: the SHA-256 of what would be done, where and under which policies.
   */
  hash?: string;
  /**
   * Where it would run: inside the sandbox or outside of it.
   */
  sandbox?: 'inside' | 'outside';
  /**
   * Whether it had begun when the process died; what came of it is not known.
   */
  again?: boolean;
  [k: string]: unknown;
}
/**
 * A command begins.
 *
 * This interface was referenced by `SessionEvent`'s JSON-Schema
 * via the `definition` "ExecCommandBegin".
 */
export interface ExecCommandBegin {
  type: 'exec_command_begin';
  /**
   * Names this call; later events and the answer carry it.
   */
  call_id: string;
  /**
   * Program and arguments.
   *
   * @minItems 1
   */
  command: [string, ...string[]];
  /**
   * Folder it runs in, absolute.
   */
  cwd: string;
  /**
   * Whether nobody had to be asked.
   */
  auto_approved?: boolean;
  /**
   * Where it runs: inside the sandbox or outside of it.
   */
  sandbox?: 'inside' | 'outside';
  [k: string]: unknown;
}
/**
 * A piece of a command's output.
 *
 * This interface was referenced by `SessionEvent`'s JSON-Schema
 * via the `definition` "ExecCommandOutputDelta".
 */
export interface ExecCommandOutputDelta {
  type: 'exec_command_output_delta';
  /**
   * Names this call; later events and the answer carry it.
   */
  call_id: string;
  /**
   * Where it was written.
   */
  stream?: 'stdout' | 'stderr';
  /**
   * Where in the stream the piece begins.
   */
  offset?: number;
  /**
   * The piece.
   */
  delta: string;
  [k: string]: unknown;
}
/**
 * A command ended.
 *
 * This interface was referenced by `SessionEvent`'s JSON-Schema
 * via the `definition` "ExecCommandEnd".
 */
export interface ExecCommandEnd {
  type: 'exec_command_end';
  /**
   * Names this call; later events and the answer carry it.
   */
  call_id: string;
  /**
   * What it wrote to its output.
   */
  stdout: string;
  /**
   * What it wrote to its error output.
   */
  stderr: string;
  /**
   * Its exit code.
   */
  exit_code: number;
  /**
   * Whether it was ended because it took too long.
   */
  timed_out?: boolean;
  /**
   * Whether it was ended because the task was stopped.
   */
  interrupted?: boolean;
  /**
   * Whether what came of it is not known, since the process died while it ran.
   */
  unknown?: boolean;
  /**
   * Bytes of its output that were left out.
   */
  truncated_bytes?: number;
  /**
   * How long it took, in milliseconds.
   */
  duration_ms?: number;
  [k: string]: unknown;
}
/**
 * A person must decide whether files may be changed.
 *
 * This interface was referenced by `SessionEvent`'s JSON-Schema
 * via the `definition` "ApplyPatchApprovalRequest".
 */
export interface ApplyPatchApprovalRequest {
  type: 'apply_patch_approval_request';
  /**
   * Names this call; later events and the answer carry it.
   */
  call_id: string;
  /**
   * The changes, by path: each adds, deletes or updates one file.
   */
  changes: {
    [k: string]: {
      [k: string]: unknown;
    };
  };
  /**
   * Why it is asked.
   */
  reason?: string | null;
  /**
   * What the answer is bound to: the SHA-256 of what would be done, where and under which policies.
   */
  hash?: string;
  [k: string]: unknown;
}
/**
 * A question to a person is closed: it was answered, or nobody needs to know any more.
 *
 * This interface was referenced by `SessionEvent`'s JSON-Schema
 * via the `definition` "ApprovalResolved".
 */
export interface ApprovalResolved {
  type: 'approval_resolved';
  /**
   * The call that was asked about.
   */
  call_id: string;
  /**
   * The answer; withdrawn when the task ended before there was one.
   */
  decision: 'approved' | 'approved_for_session' | 'denied' | 'abort' | 'withdrawn';
  /**
   * Who answered.
   */
  by?: string;
  /**
   * With denied: what they said beside it.
   */
  guidance?: string;
  [k: string]: unknown;
}
/**
 * Files are about to be changed.
 *
 * This interface was referenced by `SessionEvent`'s JSON-Schema
 * via the `definition` "PatchApplyBegin".
 */
export interface PatchApplyBegin {
  type: 'patch_apply_begin';
  /**
   * Names this call; later events and the answer carry it.
   */
  call_id: string;
  /**
   * Whether nobody had to be asked.
   */
  auto_approved?: boolean;
  /**
   * The changes, by path: each adds, deletes or updates one file.
   */
  changes?: {
    [k: string]: {
      [k: string]: unknown;
    };
  };
  [k: string]: unknown;
}
/**
 * Files were changed, or could not be.
 *
 * This interface was referenced by `SessionEvent`'s JSON-Schema
 * via the `definition` "PatchApplyEnd".
 */
export interface PatchApplyEnd {
  type: 'patch_apply_end';
  /**
   * Names this call; later events and the answer carry it.
   */
  call_id: string;
  /**
   * Whether the change was made.
   */
  success: boolean;
  /**
   * What was reported.
   */
  stdout?: string;
  /**
   * What went wrong.
   */
  stderr?: string;
  /**
   * Paths of the files that were changed.
   */
  files?: string[];
  [k: string]: unknown;
}
/**
 * A tool of another server is called.
 *
 * This interface was referenced by `SessionEvent`'s JSON-Schema
 * via the `definition` "McpToolCallBegin".
 */
export interface McpToolCallBegin {
  type: 'mcp_tool_call_begin';
  /**
   * Names this call; later events and the answer carry it.
   */
  call_id: string;
  /**
   * The server.
   */
  server: string;
  /**
   * The tool.
   */
  tool: string;
  /**
   * What is given to the tool.
   */
  arguments?: {
    [k: string]: unknown;
  };
  /**
   * Whether nobody had to be asked.
   */
  auto_approved?: boolean;
  [k: string]: unknown;
}
/**
 * A tool of another server answered.
 *
 * This interface was referenced by `SessionEvent`'s JSON-Schema
 * via the `definition` "McpToolCallEnd".
 */
export interface McpToolCallEnd {
  type: 'mcp_tool_call_end';
  /**
   * Names this call; later events and the answer carry it.
   */
  call_id: string;
  /**
   * Whether it worked.
   */
  success?: boolean;
  /**
   * What the tool gave back.
   */
  result?: {
    [k: string]: unknown;
  };
  /**
   * The process died meanwhile: what came of it is not known.
   */
  unknown?: boolean;
  /**
   * It was stopped because its task was.
   */
  interrupted?: boolean;
  [k: string]: unknown;
}
/**
 * The model's plan changed.
 *
 * This interface was referenced by `SessionEvent`'s JSON-Schema
 * via the `definition` "PlanUpdate".
 */
export interface PlanUpdate {
  type: 'plan_update';
  /**
   * Why.
   */
  explanation?: string | null;
  /**
   * The whole plan as it is now.
   */
  plan: PlanItem[];
  [k: string]: unknown;
}
/**
 * One step of the plan.
 *
 * This interface was referenced by `SessionEvent`'s JSON-Schema
 * via the `definition` "PlanItem".
 */
export interface PlanItem {
  /**
   * The step in words.
   */
  step: string;
  /**
   * How far it is.
   */
  status: 'pending' | 'in_progress' | 'completed';
  [k: string]: unknown;
}
/**
 * How many tokens were used.
 *
 * This interface was referenced by `SessionEvent`'s JSON-Schema
 * via the `definition` "TokenCount".
 */
export interface TokenCount {
  type: 'token_count';
  /**
   * Tokens read.
   */
  input_tokens: number;
  /**
   * Of those, read from a cache.
   */
  cached_input_tokens?: number;
  /**
   * Tokens written.
   */
  output_tokens: number;
  /**
   * Of those, thoughts.
   */
  reasoning_output_tokens?: number;
  /**
   * All together.
   */
  total_tokens?: number;
  /**
   * What they cost, in US dollars.
   */
  cost_usd?: number;
  /**
   * Room of the model, in tokens.
   */
  context_window?: number;
  /**
   * Tokens that the next request will carry at least.
   */
  context_tokens?: number;
  [k: string]: unknown;
}
/**
 * A turn ended.
 *
 * This interface was referenced by `SessionEvent`'s JSON-Schema
 * via the `definition` "TurnComplete".
 */
export interface TurnComplete {
  type: 'turn_complete';
  /**
   * Response to go on from or to fork at.
   */
  response_id: string;
  /**
   * Which turn of the task, from one.
   */
  turn?: number;
  [k: string]: unknown;
}
/**
 * A task ended well.
 *
 * This interface was referenced by `SessionEvent`'s JSON-Schema
 * via the `definition` "TaskComplete".
 */
export interface TaskComplete {
  type: 'task_complete';
  /**
   * Last response of the task.
   */
  response_id: string;
  /**
   * The last thing the model said; null when it said nothing.
   */
  last_agent_message: string | null;
  [k: string]: unknown;
}
/**
 * A turn is asked again; what was streamed of it so far is void.
 *
 * This interface was referenced by `SessionEvent`'s JSON-Schema
 * via the `definition` "TurnRestarted".
 */
export interface TurnRestarted {
  type: 'turn_restarted';
  /**
   * The messages that are void.
   */
  item_ids: string[];
  [k: string]: unknown;
}
/**
 * Something happened that needs no answer.
 *
 * This interface was referenced by `SessionEvent`'s JSON-Schema
 * via the `definition` "BackgroundEvent".
 */
export interface BackgroundEvent {
  type: 'background_event';
  /**
   * What happened.
   */
  message: string;
  /**
   * Code of what happened.
   */
  code?: string;
  /**
   * More about it.
   */
  details?: {
    [k: string]: unknown;
  };
  [k: string]: unknown;
}
/**
 * Something may be wrong.
 *
 * This interface was referenced by `SessionEvent`'s JSON-Schema
 * via the `definition` "SessionWarning".
 */
export interface SessionWarning {
  type: 'warning';
  /**
   * What may be wrong.
   */
  message: string;
  /**
   * Code of the warning.
   */
  code?: string;
  /**
   * More about it.
   */
  details?: {
    [k: string]: unknown;
  };
  [k: string]: unknown;
}
/**
 * A task stopped, or a message was refused.
 *
 * This interface was referenced by `SessionEvent`'s JSON-Schema
 * via the `definition` "SessionError".
 */
export interface SessionError {
  type: 'error';
  /**
   * What went wrong.
   */
  message: string;
  /**
   * Code of the error.
   */
  code: string;
  /**
   * What to do about it.
   */
  hint?: string;
  /**
   * More about it.
   */
  details?: {
    [k: string]: unknown;
  };
  [k: string]: unknown;
}
/**
 * One entry of the history of inputs.
 *
 * This interface was referenced by `SessionEvent`'s JSON-Schema
 * via the `definition` "GetHistoryEntryResponse".
 */
export interface GetHistoryEntryResponse {
  type: 'get_history_entry_response';
  /**
   * Which entry, from zero.
   */
  offset: number;
  /**
   * The history of inputs this session writes to.
   */
  log_id: string | number;
  /**
   * The entry; null when there is none.
   */
  entry?: {
    /**
     * Session it was written in.
     */
    session_id?: string;
    /**
     * When it was written, in seconds since 1970.
     */
    ts?: number;
    /**
     * The entry.
     */
    text?: string;
    [k: string]: unknown;
  } | null;
  [k: string]: unknown;
}
/**
 * The session ended.
 *
 * This interface was referenced by `SessionEvent`'s JSON-Schema
 * via the `definition` "ShutdownComplete".
 */
export interface ShutdownComplete {
  type: 'shutdown_complete';
  [k: string]: unknown;
}
/**
 * An agent is known now.
 *
 * This interface was referenced by `SessionEvent`'s JSON-Schema
 * via the `definition` "AgentRegistered".
 */
export interface AgentRegistered {
  type: 'agent_registered';
  /**
   * The agent.
   */
  agent_id: string;
  /**
   * The agent it belongs to; null when there is none.
   */
  parent_id?: string | null;
  [k: string]: unknown;
}
/**
 * An agent was changed.
 *
 * This interface was referenced by `SessionEvent`'s JSON-Schema
 * via the `definition` "AgentConfigured".
 */
export interface AgentConfigured {
  type: 'agent_configured';
  /**
   * The agent.
   */
  agent_id: string;
  /**
   * What was changed.
   */
  changes?: {
    [k: string]: unknown;
  };
  [k: string]: unknown;
}
/**
 * A new agent was made under another.
 *
 * This interface was referenced by `SessionEvent`'s JSON-Schema
 * via the `definition` "SubAgentSpawned".
 */
export interface SubAgentSpawned {
  type: 'sub_agent_spawned';
  /**
   * The new agent.
   */
  agent_id: string;
  /**
   * The agent it belongs to.
   */
  parent_id: string;
  [k: string]: unknown;
}
/**
 * An agent knows more now.
 *
 * This interface was referenced by `SessionEvent`'s JSON-Schema
 * via the `definition` "KnowledgeUpdated".
 */
export interface KnowledgeUpdated {
  type: 'knowledge_updated';
  /**
   * The agent.
   */
  agent_id: string;
  /**
   * The entries that were added or replaced.
   */
  entry_ids?: string[];
  [k: string]: unknown;
}
/**
 * A task or result was checked and found good.
 *
 * This interface was referenced by `SessionEvent`'s JSON-Schema
 * via the `definition` "VerificationPassed".
 */
export interface VerificationPassed {
  type: 'verification_passed';
  report: Report;
  [k: string]: unknown;
}
/**
 * Whether a task may start or a result may stand, and why. Stages run in a fixed order and stop at the first that fails.
 *
 * This interface was referenced by `SessionEvent`'s JSON-Schema
 * via the `definition` "Report".
 */
export interface Report {
  /**
   * Name of this report.
   */
  id: string;
  /**
   * task: checked before the work. result: checked after it.
   */
  kind: 'task' | 'result';
  /**
   * What was checked, such as a run and its handoff.
   */
  subject: string;
  /**
   * The stages that ran, in order: universal, domain, component, standards, human.
   */
  stages: VerificationStage[];
  /**
   * Whether every stage that ran was satisfied.
   */
  valid: boolean;
  /**
   * All issues of all stages.
   */
  issues: VerificationIssue[];
  /**
   * The lowest confidence of the stages.
   */
  confidence: number;
  /**
   * Whether a person must look at it.
   */
  human_review_required: boolean;
  [k: string]: unknown;
}
/**
 * The outcome of one stage.
 *
 * This interface was referenced by `SessionEvent`'s JSON-Schema
 * via the `definition` "VerificationStage".
 */
export interface VerificationStage {
  /**
   * Which stage this is.
   */
  stage: 'universal' | 'domain' | 'component' | 'standards' | 'human';
  /**
   * What exactly was run, such as the command of a check.
   */
  name?: string;
  /**
   * Whether the stage found nothing wrong.
   */
  valid: boolean;
  /**
   * How sure the stage is.
   */
  confidence: number;
  /**
   * What the stage found.
   */
  issues?: VerificationIssue[];
  /**
   * How long the stage took, in milliseconds.
   */
  duration_ms?: number;
  [k: string]: unknown;
}
/**
 * One thing that is wrong or doubtful.
 *
 * This interface was referenced by `SessionEvent`'s JSON-Schema
 * via the `definition` "VerificationIssue".
 */
export interface VerificationIssue {
  /**
   * Kind of issue.
   */
  type: string;
  /**
   * The issue in words.
   */
  message: string;
  /**
   * How much it matters.
   */
  severity: 'info' | 'warning' | 'error' | 'critical';
  [k: string]: unknown;
}
/**
 * A task or result was checked and found wanting; the issues are in the report.
 *
 * This interface was referenced by `SessionEvent`'s JSON-Schema
 * via the `definition` "VerificationFailed".
 */
export interface VerificationFailed {
  type: 'verification_failed';
  report: Report;
  [k: string]: unknown;
}
/**
 * An agent can take work now, or no longer can.
 *
 * This interface was referenced by `SessionEvent`'s JSON-Schema
 * via the `definition` "AgentStatusChanged".
 */
export interface AgentStatusChanged {
  type: 'agent_status_changed';
  /**
   * The agent.
   */
  agent_id: string;
  /**
   * Status now.
   */
  status: 'available' | 'busy' | 'waiting' | 'unhealthy' | 'offline';
  /**
   * Status before; null when the agent is new.
   */
  previous: 'available' | 'busy' | 'waiting' | 'unhealthy' | 'offline' | null;
  [k: string]: unknown;
}
/**
 * An agent moved from one state of its life to another.
 *
 * This interface was referenced by `SessionEvent`'s JSON-Schema
 * via the `definition` "LifecycleEvent".
 */
export interface LifecycleEvent {
  type: 'lifecycle_event';
  /**
   * The agent.
   */
  agent_id: string;
  /**
   * What happened.
   */
  event:
    | 'Created'
    | 'Started'
    | 'Paused'
    | 'Resumed'
    | 'MaintenanceStarted'
    | 'MaintenanceEnded'
    | 'EvolutionStarted'
    | 'Evolved'
    | 'RetirementStarted'
    | 'Retired'
    | 'ErrorOccurred';
  /**
   * State before; null when the agent is new.
   */
  from:
    | 'Defined'
    | 'Provisioning'
    | 'Initialized'
    | 'Running'
    | 'Paused'
    | 'Maintaining'
    | 'Evolving'
    | 'Retiring'
    | 'Retired'
    | null;
  /**
   * State after.
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
 * A reasoning tree is ready to be looked at.
 *
 * This interface was referenced by `SessionEvent`'s JSON-Schema
 * via the `definition` "CoRTTraceAvailable".
 */
export interface CoRTTraceAvailable {
  type: 'cort_trace_available';
  /**
   * The reasoning tree.
   */
  trace_id: string;
  /**
   * How sure it is of its answer.
   */
  confidence: number;
  /**
   * What was asked.
   */
  question?: string;
  /**
   * The answer it came to.
   */
  answer?: string;
  /**
   * How many thoughts it holds.
   */
  thought_count?: number;
  /**
   * How deep it went.
   */
  depth?: number;
  [k: string]: unknown;
}
/**
 * An animation begins.
 *
 * This interface was referenced by `SessionEvent`'s JSON-Schema
 * via the `definition` "VisualizationInit".
 */
export interface VisualizationInit {
  type: 'visualization_init';
  /**
   * The diagram that is animated.
   */
  diagramId: string;
  /**
   * How many steps there will be.
   */
  totalSteps: number;
  /**
   * The organisation or theme the diagram is shown for.
   */
  agencyContext?:
    | string
    | {
        [k: string]: unknown;
      };
  [k: string]: unknown;
}
/**
 * An animation moved on to a step.
 *
 * This interface was referenced by `SessionEvent`'s JSON-Schema
 * via the `definition` "VisualizationStep".
 */
export interface VisualizationStep {
  type: 'visualization_step';
  /**
   * The diagram that is animated.
   */
  diagramId?: string;
  /**
   * Which step, from zero.
   */
  stepIndex: number;
  /**
   * Name of the step.
   */
  stepId: string;
  /**
   * The step in words, for those who do not see the animation.
   */
  description: string;
  [k: string]: unknown;
}
/**
 * An animation ended.
 *
 * This interface was referenced by `SessionEvent`'s JSON-Schema
 * via the `definition` "VisualizationEnd".
 */
export interface VisualizationEnd {
  type: 'visualization_end';
  /**
   * The diagram that was animated.
   */
  diagramId: string;
  /**
   * Why it ended, such as completed or terminated.
   */
  reason: string;
  [k: string]: unknown;
}

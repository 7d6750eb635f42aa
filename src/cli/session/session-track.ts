import type { WireEvent } from '../../engine/session/session-desk.js';

type Msg = WireEvent['msg'];

/** A question to a person that is still open. */
export type OpenApproval = { callId: string; kind: 'exec' | 'patch'; msg: Msg };

/** How the last task ended. */
export type TaskEnd =
  | { id: string; type: 'complete'; message: string | null }
  | { id: string; type: 'error'; msg: Msg };

/** What is told only while a task runs. */
const OF_TASKS: ReadonlySet<string> = new Set([
  ...['agent_message', 'agent_message_delta', 'agent_reasoning', 'agent_reasoning_delta', 'plan_update'],
  ...['exec_approval_request', 'apply_patch_approval_request'],
  ...['exec_command_begin', 'exec_command_output_delta', 'exec_command_end', 'patch_apply_begin', 'patch_apply_end'],
  ...['mcp_tool_call_begin', 'mcp_tool_call_end', 'token_count', 'turn_complete', 'turn_restarted'],
  ...['background_event'],
]);

/** Where a session stands, by the events that a client has seen of it. */
export class SessionTrack {
  configured: Msg | null = null;
  /** The id of the task that runs. */
  task: string | null = null;
  end: TaskEnd | null = null;
  /** Of the last response; null also while nobody knows how long a thread is that was summarised. */
  context: { tokens: number; window: number } | null = null;
  /** Of the whole session, as the store has it: not every cost is an event. Told by whoever reads it there. */
  costUsd = 0;
  isOver = false;
  /** A task was seen to begin or to end: from there on every one is. */
  private knowsTasks = false;
  private readonly waiting = new Map<string, OpenApproval>();

  get session(): string | null {
    return this.configured === null ? null : String(this.configured.session_id);
  }

  /** The one that was asked first comes first. */
  get approvals(): readonly OpenApproval[] {
    return [...this.waiting.values()];
  }

  take({ id, seq, msg }: WireEvent): void {
    // Whoever came in the middle has not seen its task begin.
    if (!this.knowsTasks && OF_TASKS.has(msg.type)) this.task ??= id;
    switch (msg.type) {
      case 'session_configured':
        this.configured = msg;
        break;
      case 'task_started':
        this.task = id;
        this.end = null;
        this.knowsTasks = true;
        break;
      case 'exec_approval_request':
        this.ask('exec', msg);
        break;
      case 'apply_patch_approval_request':
        this.ask('patch', msg);
        break;
      case 'approval_resolved':
        this.waiting.delete(String(msg.call_id));
        break;
      case 'token_count':
        this.count(msg);
        break;
      case 'background_event':
        if (msg.code === 'COMPACTED') this.context = null;
        break;
      case 'task_complete':
        this.close({ id, type: 'complete', message: textOrNull(msg.last_agent_message) });
        break;
      case 'error':
        // Without a seq it is about one message, and no end of a task.
        if (seq !== undefined && id === this.task) this.close({ id, type: 'error', msg });
        break;
      case 'shutdown_complete':
        this.isOver = true;
        break;
    }
  }

  private ask(kind: OpenApproval['kind'], msg: Msg): void {
    const callId = String(msg.call_id);
    this.waiting.set(callId, { callId, kind, msg });
  }

  private count({ context_tokens, context_window }: Msg): void {
    if (typeof context_tokens === 'number' && typeof context_window === 'number') {
      this.context = { tokens: context_tokens, window: context_window };
    }
  }

  private close(end: TaskEnd): void {
    this.end = end;
    this.task = null;
    this.knowsTasks = true;
    this.waiting.clear();
  }
}

function textOrNull(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}

import type { BodyRef } from '../../core/kernel/effect.js';
import type { SessionEvent } from '../../core/session/session-messages.js';
import type { EventRow } from '../ports.js';
import { failureHint } from './failure-hint.js';
import { recordIn } from './model-items.js';
import type { WireEvent } from './session-desk.js';

type Msg = WireEvent['msg'];
/** The fields that a body holds; nothing when it is gone, or no JSON: it must not hide all that follows it. */
type Fields = (ref: BodyRef) => Promise<Record<string, unknown>>;
type Of<Type extends SessionEvent['type']> = Extract<SessionEvent, { type: Type }>;

export type WireSources = { session: string; body(sha256: string): Promise<Uint8Array | undefined> };

/** What clients see of a row of the journal; undefined when it is only for the machine. */
export async function wireEvent(
  row: Pick<EventRow, 'seq' | 'type' | 'data'>,
  sources: WireSources,
): Promise<WireEvent | undefined> {
  const event = { ...JSON.parse(row.data), type: row.type } as SessionEvent;
  const msg = await message(event, sources, fieldsIn(sources));
  return msg && { id: event.id, seq: row.seq, msg };
}

function fieldsIn({ body }: WireSources): Fields {
  return async ({ sha256 }) => {
    const bytes = await body(sha256);
    return bytes ? recordIn(new TextDecoder().decode(bytes)) : {};
  };
}

async function message(event: SessionEvent, sources: WireSources, fields: Fields): Promise<Msg | undefined> {
  switch (event.type) {
    case 'SessionConfigured':
      return configuredMessage(sources.session, event.order, { resumed: event.resumed, entries: event.entries });
    case 'TaskStarted':
      return taskStarted(event, sources);
    case 'MessageSaid':
      return { type: 'agent_message', message: '', ...(await fields(event.said)), item_id: event.itemId };
    case 'ReasoningSaid':
      return { type: 'agent_reasoning', text: '', ...(await fields(event.said)), item_id: event.itemId };
    case 'ResponseReceived':
      return tokenCount(event);
    case 'PlanUpdated':
      return { type: 'plan_update', plan: [], ...(await fields(event.plan)) };
    case 'ApprovalAsked':
      return approvalRequest(event, fields);
    case 'ApprovalResolved':
      return {
        ...{ type: 'approval_resolved', call_id: event.call, decision: event.decision, by: event.by },
        ...(event.guidance !== undefined && { guidance: event.guidance }),
      };
    case 'CallBegun':
      return begun(event, fields);
    case 'CallEnded':
      return { ...END_TYPE[event.kind], call_id: event.call, ...(await fields(event.end.said)) } as Msg;
    case 'CallLost':
      return lost(event, fields);
    case 'TurnEnded':
      return { type: 'turn_complete', response_id: event.responseId, turn: event.turn };
    case 'TaskEnded': {
      const said = event.message && (await fields(event.message)).message;
      return { type: 'task_complete', response_id: event.responseId, last_agent_message: (said as string) ?? null };
    }
    case 'TaskFailed': {
      const { code, message: words } = event;
      return { type: 'error', message: words, code, ...(code !== 'INTERRUPTED' && { hint: failureHint(event) }) };
    }
    default:
      return notice(event);
  }
}

async function taskStarted({ window, compacts, entry }: Of<'TaskStarted'>, { body }: WireSources): Promise<Msg> {
  const bytes = entry ? await body(entry.sha256) : undefined;
  return {
    ...{ type: 'task_started', model_context_window: window, ...(compacts && { compacts: true }) },
    ...(bytes && { text: new TextDecoder().decode(bytes) }),
  };
}

/** What happens in the background of a task. */
function notice(event: SessionEvent): Msg | undefined {
  switch (event.type) {
    case 'TurnRestarted':
      return event.itemIds.length > 0 ? { type: 'turn_restarted', item_ids: [...event.itemIds] } : undefined;
    case 'RetryPlanned': {
      const message = `the model did not answer (${event.reason}); asked again, try ${event.tries + 1}`;
      return {
        type: 'background_event',
        message,
        code: 'MODEL_RETRY',
        details: { until_ms: event.untilMs, tries: event.tries },
      };
    }
    case 'CompactionBegun':
      return { type: 'background_event', message: 'the window of the model is nearly full: the thread is summarised' };
    case 'Compacted':
      return { type: 'background_event', message: 'the thread was summarised', code: 'COMPACTED' };
    case 'LimitNeared':
      return {
        type: 'warning',
        message: `a limit of this session is nearly used up: ${event.words}`,
        code: 'LIMIT_NEAR',
      };
    case 'ResponseBounded':
      return { type: 'warning', message: event.words, code: event.code };
    case 'CallAnswered':
      return event.problem === undefined ? answeredAtOnce(event) : unjudged(event.call, event.problem);
    case 'InputLeftOut':
      return event.words === '' ? undefined : { type: 'warning', message: event.words, code: 'INPUT_LEFT_OUT' };
    case 'SessionClosed':
      return { type: 'shutdown_complete' };
    default:
      return undefined;
  }
}

function answeredAtOnce({ call, note }: Of<'CallAnswered'>): Msg | undefined {
  if (!note) return undefined;
  const code = note.success ? 'CALL_DONE' : 'CALL_FAILED';
  return { type: 'background_event', message: note.words, code, details: { call_id: call } };
}

function unjudged(call: string, problem: string): Msg {
  const message = `${call} was not done, because it could not be judged: ${problem}`;
  return { type: 'warning', message, code: 'CALL_NOT_JUDGED', details: { call_id: call } };
}

type Configured = { resumed: boolean; entries: number; lastResponseId?: string | null };

export function configuredMessage(
  session: string,
  { model, cwd, approval, sandbox }: Of<'SessionConfigured'>['order'],
  { resumed, entries, lastResponseId }: Configured,
): Msg {
  return {
    ...{ type: 'session_configured', session_id: session, model, cwd },
    ...{ history_log_id: session, history_entry_count: entries, resumed, approval_policy: approval },
    sandbox_policy: {
      ...{ mode: sandbox.mode, writable_roots: [...sandbox.writableRoots], network_access: sandbox.networkAccess },
    },
    ...(lastResponseId !== undefined && { last_response_id: lastResponseId }),
  };
}

const MICRO_USD = 1_000_000;

function tokenCount({ figures, usage, window }: Of<'ResponseReceived'>): Msg {
  const { input, cachedInput, output, reasoning } = figures;
  return {
    ...{ type: 'token_count', input_tokens: input, cached_input_tokens: cachedInput, output_tokens: output },
    ...{ reasoning_output_tokens: reasoning, total_tokens: input + output, cost_usd: usage.costMicroUsd / MICRO_USD },
    ...{ context_tokens: input + output, context_window: window },
  };
}

async function approvalRequest(event: Of<'ApprovalAsked'>, fields: Fields): Promise<Msg> {
  const { call: call_id, kind, hash, shown, reason, where, again } = event;
  const what = await fields(shown);
  const common = { call_id, reason, hash };
  if (kind === 'patch') return { type: 'apply_patch_approval_request', changes: {}, ...what, ...common };
  const command = kind === 'mcp' ? mcpCommand(what) : [];
  const more = { sandbox: where, ...(again === 'unknown' && { again: true }) };
  return { type: 'exec_approval_request', command, cwd: '/', ...(kind === 'exec' && what), ...common, ...more };
}

/** A tool of a server is put before people like a command. */
function mcpCommand({ server, tool, arguments: given }: Record<string, unknown>): string[] {
  return ['mcp', String(server), String(tool), JSON.stringify(given ?? {})];
}

async function begun({ call: call_id, kind, shown, where, auto }: Of<'CallBegun'>, fields: Fields): Promise<Msg> {
  const what = await fields(shown);
  if (kind === 'patch') return { type: 'patch_apply_begin', call_id, auto_approved: auto, ...what };
  if (kind === 'mcp')
    return { type: 'mcp_tool_call_begin', server: '', tool: '', ...what, call_id, auto_approved: auto };
  return { type: 'exec_command_begin', command: [], cwd: '/', ...what, call_id, auto_approved: auto, sandbox: where };
}

const END_TYPE = {
  exec: { type: 'exec_command_end', stdout: '', stderr: '', exit_code: -1 },
  patch: { type: 'patch_apply_end', success: false },
  mcp: { type: 'mcp_tool_call_end', success: false },
} as const;

/** What stands in the place of what nobody knows. */
export const LOST = {
  unknown: 'the process that ran it died; what came of it is not known',
  interrupted: 'interrupted',
} as const;

async function lost({ call: call_id, kind, why, printed }: Of<'CallLost'>, fields: Fields): Promise<Msg> {
  const mark = { [why === 'unknown' ? 'unknown' : 'interrupted']: true };
  if (kind === 'patch') return { ...END_TYPE.patch, call_id, stderr: LOST[why] };
  if (kind === 'mcp') return { ...END_TYPE.mcp, call_id, result: LOST[why], ...mark };
  return { ...END_TYPE.exec, stderr: LOST[why], ...(printed && (await fields(printed.said))), call_id, ...mark };
}

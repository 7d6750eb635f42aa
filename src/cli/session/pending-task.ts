import type { RunRow } from '../../engine/ports.js';
import type { WireEvent } from '../../engine/session/session-desk.js';
import type { SessionPlace } from '../../engine/session/session-place.js';
import { printable } from '../printable.js';
import { commandWords } from './command-words.js';
import { SessionTrack } from './session-track.js';

/** A task that has not ended, from its beginning on. */
export type PendingTask = {
  id: string;
  /** What it was asked for, in one line. */
  words: string;
  /** Questions that nobody has answered. */
  open: readonly WireEvent[];
  /** What a person has allowed, and what has not begun, in words. */
  allowed: readonly string[];
};

const ROWS_FIRST = 200;
const ROWS_MORE = 4;
const PAGE_ROWS = 500;

/** What is under way in a session, if anything is; `after` is the seq up to which this tells. */
export async function pendingTask(
  place: Pick<SessionPlace, 'eventsOf'>,
  { run, version, status }: Pick<RunRow, 'run' | 'version' | 'status'>,
): Promise<{ pending: PendingTask | null; after: number }> {
  if (status === 'idle' || status === 'closed') return { pending: null, after: version };
  // Most tasks are short: what was before them is not read.
  for (let rows = ROWS_FIRST; ; rows *= ROWS_MORE) {
    const from = Math.max(0, version - rows);
    const { events, after } = await eventsSince(place, run, from);
    const begun = events.findLastIndex(({ msg }) => msg.type === 'task_started');
    if (begun >= 0 || from === 0) return { pending: taskIn(events.slice(Math.max(begun, 0))), after };
  }
}

async function eventsSince({ eventsOf }: Pick<SessionPlace, 'eventsOf'>, run: string, from: number) {
  const found: WireEvent[] = [];
  for (let after = from; ; ) {
    const { events, next, isRest } = await eventsOf(run, after, PAGE_ROWS);
    found.push(...events);
    if (isRest || next === after) return { events: found, after: next };
    after = next;
  }
}

function taskIn(events: readonly WireEvent[]): PendingTask | null {
  const track = new SessionTrack();
  for (const event of events) track.take(event);
  if (track.task === null) return null;
  const asked = new Set(track.approvals.map(({ callId }) => callId));
  const text = events[0]?.msg.text;
  return {
    id: track.task,
    words: printable(typeof text === 'string' ? (text.trim().split('\n')[0] ?? '') : ''),
    open: events.filter(({ msg }) => isRequest(msg) && asked.has(String(msg.call_id))),
    allowed: allowedIn(events),
  };
}

function allowedIn(events: readonly WireEvent[]): string[] {
  const begun = new Set(events.filter(({ msg }) => BEGINS.has(msg.type)).map(({ msg }) => msg.call_id));
  const allowed = new Set(events.filter(({ msg }) => isYes(msg)).map(({ msg }) => msg.call_id));
  const waiting = events.filter(({ msg }) => isRequest(msg) && allowed.has(msg.call_id) && !begun.has(msg.call_id));
  return waiting.map(({ msg }) => requestWords(msg));
}

const BEGINS: ReadonlySet<string> = new Set(['exec_command_begin', 'mcp_tool_call_begin', 'patch_apply_begin']);

function isRequest({ type }: WireEvent['msg']): boolean {
  return type === 'exec_approval_request' || type === 'apply_patch_approval_request';
}

function isYes({ type, decision }: WireEvent['msg']): boolean {
  return type === 'approval_resolved' && (decision === 'approved' || decision === 'approved_for_session');
}

/** What is asked for, in one line. */
export function requestWords({ command, changes }: WireEvent['msg']): string {
  if (Array.isArray(command)) return commandWords(command.map(String));
  return printable(`changes of ${Object.keys((changes ?? {}) as object).join(', ')}`);
}

import type { SessionCall, SessionPlanEntry } from '../../contracts/api/session-shapes.js';
import type { SessionEvent } from '../../core/session/session-messages.js';
import type { EventRow } from '../ports.js';
import type { WireEvent } from './session-desk.js';

/** A row of the journal with what clients were told of it. */
export type ToldRow = { row: EventRow; event: SessionEvent; msg: WireEvent['msg'] | undefined };

/** So many characters are told of each text that may be long; the whole of it is in the log. */
const TEXT_MAX = 16 * 1024;

export const textIn = (msg: ToldRow['msg'], field: string): string | null => {
  const value = msg?.[field];
  return typeof value === 'string' ? value : null;
};

export function planIn({ row, msg }: ToldRow): SessionPlanEntry {
  const steps = Array.isArray(msg?.plan) ? (msg.plan as { step?: unknown; status?: unknown }[]) : [];
  const plan = steps.map(({ step, status }) => ({ step: String(step ?? ''), status: String(status ?? '') }));
  return { type: 'plan', seq: row.seq, at: row.at, explanation: textIn(msg, 'explanation'), plan };
}

/** A call that is heard of for the first time. */
export function newCall({ row, msg }: ToldRow, call: string, known: Partial<SessionCall>): SessionCall {
  return {
    ...{ type: 'call', seq: row.seq, at: row.at, call_id: call, kind: null, tool: '', state: 'answered' },
    ...{ auto: false, decided_by: null, where: null, exit_code: null, stdout: '', stderr: '', left_out: 0 },
    ...{ seconds: null, reason: null, justification: null },
    ...shortShownIn(msg),
    ...known,
  };
}

type Shown = Pick<SessionCall, 'command' | 'cwd' | 'changes' | 'arguments'>;

/** What is to be done, as clients are shown it. */
export function shownIn(msg: ToldRow['msg']): Shown {
  const isTool = typeof msg?.server === 'string';
  return {
    command: Array.isArray(msg?.command) ? msg.command.map(String) : null,
    cwd: textIn(msg, 'cwd'),
    changes: typeof msg?.changes === 'object' && msg.changes ? (msg.changes as Record<string, unknown>) : null,
    arguments: isTool ? { server: msg?.server, tool: msg?.tool, arguments: msg?.arguments } : null,
  };
}

/** The same with the beginnings of long texts. */
export function shortShownIn(msg: ToldRow['msg']): Shown & Pick<SessionCall, 'cut'> {
  let cut = 0;
  const text = JSON.stringify(shownIn(msg), (_, part: unknown) => {
    if (typeof part !== 'string' || part.length <= TEXT_MAX) return part;
    cut += part.length - TEXT_MAX;
    return part.slice(0, TEXT_MAX);
  });
  return { ...(JSON.parse(text) as Shown), cut };
}

/** What a command had printed that did not come to its end. */
export function printedIn(msg: ToldRow['msg']): Pick<SessionCall, 'stdout' | 'stderr' | 'left_out'> {
  const [stdout, stderr] = [textIn(msg, 'stdout') ?? '', textIn(msg, 'stderr') ?? ''];
  const cut = Math.max(0, stdout.length - TEXT_MAX) + Math.max(0, stderr.length - TEXT_MAX);
  return { stdout: endOf(stdout), stderr: endOf(stderr), left_out: cut };
}

/** What came of a call. */
export function endIn(msg: ToldRow['msg'], activeMs: number): Partial<SessionCall> {
  const result = msg?.result === undefined ? '' : JSON.stringify(msg.result, null, 2);
  const [stdout, stderr] = [textIn(msg, 'stdout') ?? result, textIn(msg, 'stderr') ?? ''];
  const cut = Math.max(0, stdout.length - TEXT_MAX) + Math.max(0, stderr.length - TEXT_MAX);
  const dropped = typeof msg?.truncated_bytes === 'number' ? msg.truncated_bytes : 0;
  return {
    ...{ stdout: endOf(stdout), stderr: endOf(stderr), left_out: cut + dropped },
    exit_code: typeof msg?.exit_code === 'number' ? msg.exit_code : null,
    seconds: (typeof msg?.duration_ms === 'number' ? msg.duration_ms : activeMs) / 1_000,
  };
}

/** A copy: a mere part of a text would keep all of it in memory. */
function endOf(text: string): string {
  return JSON.parse(JSON.stringify(text.slice(-TEXT_MAX))) as string;
}

import type { SessionStop } from '../../contracts/api/session-shapes.js';
import { exhausted, usedWords } from '../../core/kernel/budget.js';
import { raiseOption } from '../../core/session/raise-option.js';
import type { SessionEvent } from '../../core/session/session-messages.js';
import type { LiveSession } from '../../core/session/session-state.js';
import type { EventStore, RunRow } from '../ports.js';

/** After the end of a task little is written before the next one. */
const EVENTS_BACK = 20;

type Failed = Extract<SessionEvent, { type: 'TaskFailed' }>;

/** Why a session that rests does not go on as it is, or that its last task failed. Null: it only waits for words. */
export async function sessionStop(
  store: Pick<EventStore, 'events'>,
  { run, version }: Pick<RunRow, 'run' | 'version'>,
  { status, task, order: { limits }, spent }: LiveSession,
): Promise<SessionStop | null> {
  if (status === 'closed' || task) return null;
  const raise = raiseOption(limits, spent) ?? null;
  const reached = exhausted(limits, spent);
  if (reached) {
    const message = `the limit of this session is reached: ${usedWords(reached, spent, limits)}`;
    return { code: 'LIMIT_REACHED', message, raise };
  }
  const rows = await store.events(run, Math.max(0, version - EVENTS_BACK), EVENTS_BACK);
  const last = rows.findLast(({ type }) => type === 'TaskFailed' || type === 'TaskEnded' || type === 'TaskStarted');
  if (last?.type !== 'TaskFailed') return null;
  const { code, message } = JSON.parse(last.data) as Failed;
  if (code === 'INTERRUPTED') return null;
  // Set up anew since then, and there is something to spend again.
  const isSetUp = rows.some(({ type, seq }) => type === 'SessionConfigured' && seq > last.seq);
  if (code === 'LIMIT_REACHED' && isSetUp) return null;
  return { code, message, raise: code === 'LIMIT_REACHED' ? raise : null };
}

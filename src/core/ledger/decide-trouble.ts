import type { LedgerEvent, Trouble } from './ledger-messages.js';
import { agentOf, type LiveLedger, runsAlone, type TaskRow } from './ledger-state.js';
import { isForGood, RETRIES_MAX } from './task-status.js';

/**
 * What follows when an attempt did not come to a done: once more, then differently, then a person. What the agent would
 * only do again is not tried again, and what only a person can help with is not tried at all.
 */
export function afterTrouble(ledger: LiveLedger, row: TaskRow, trouble: Trouble, atMs: number): LedgerEvent[] {
  const { status, code, reason, retryAfterMs = 0 } = trouble;
  const task = row.spec.task_id;
  const isSilence = code === 'TASK_TIMEOUT';
  const moved: LedgerEvent = { type: 'TaskMoved', atMs, task, to: status, code, reason };
  const again = (status === 'failed' && !isForGood(code)) || isSilence ? nextTry(ledger, row) : null;
  if (again) {
    const notBeforeMs = atMs + retryAfterMs;
    const requeued: LedgerEvent = { type: 'TaskRequeued', atMs, task, code, reason, notBeforeMs, ...again };
    const due: LedgerEvent[] = retryAfterMs === 0 ? [{ type: 'TaskDue', atMs, task }] : [];
    return [...(isSilence ? [moved] : []), requeued, ...due];
  }
  return status === 'blocked' ? [moved, ...askAbout(ledger, [{ task, code, reason }], atMs)] : [moved];
}

/** What is different at the next try; null when everything was tried. */
function nextTry(ledger: LiveLedger, row: TaskRow): { agent?: string; alone?: true } | null {
  if (row.failures < RETRIES_MAX) return {};
  if (row.escalated || !ledger.going) return null;
  const { fallback } = ledger.order;
  if (row.epoch === null && fallback !== null && fallback !== agentOf(ledger, row)) return { agent: fallback };
  return runsAlone(row) ? null : { alone: true };
}

type Blocked = Pick<Trouble, 'code' | 'reason'> & { task: string };

/** Whoever leads the run by hand sees it in the ledger. */
export function askAbout(ledger: LiveLedger, blocked: readonly Blocked[], atMs: number): LedgerEvent[] {
  if (!ledger.going) return [];
  return blocked.map(({ task, code, reason }, index) => {
    return { type: 'BlockerAsked', atMs, question: ledger.asked + 1 + index, task, code, reason };
  });
}

/** A question about a task that goes on without an answer is over. */
export function withdrawn({ question }: TaskRow, atMs: number): LedgerEvent[] {
  return question === null ? [] : [{ type: 'BlockerAnswered', atMs, question, answer: null }];
}

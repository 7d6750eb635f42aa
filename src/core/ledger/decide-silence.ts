import { silenceMs } from '../task/silence-limit.js';
import { afterTrouble } from './decide-trouble.js';
import type { LedgerEvent, Trouble } from './ledger-messages.js';
import type { LiveLedger, TaskRow } from './ledger-state.js';

const SECOND_MS = 1_000;
export type Beats = Readonly<Record<string, number>>;

/** Who works without Baton having asked, and was not heard of for too long; and what has waited long enough. */
export function decideTick(ledger: LiveLedger, beats: Beats, atMs: number): LedgerEvent[] {
  const events: LedgerEvent[] = [];
  let questions = 0;
  for (const row of foreign(ledger)) {
    const { spec, owner } = row;
    const silentMs = atMs - lastHeardMs(row, beats);
    if (silentMs <= silenceMs(spec)) continue;
    const seconds = Math.floor(silentMs / SECOND_MS);
    const reason = `${owner} sent no heartbeat for ${seconds} s; ${spec.timeout_seconds} s are allowed`;
    const trouble: Trouble = { status: 'blocked', code: 'TASK_TIMEOUT', reason };
    const follows = ledger.going
      ? afterTrouble({ ...ledger, asked: ledger.asked + questions }, row, trouble, atMs)
      : [{ type: 'TaskMoved', atMs, task: spec.task_id, to: 'blocked', code: 'TASK_TIMEOUT', reason } as const];
    questions += follows.filter(({ type }) => type === 'BlockerAsked').length;
    events.push(...follows);
  }
  return [...events, ...dueNow(ledger, atMs)];
}

export function dueNow(ledger: LiveLedger, atMs: number): LedgerEvent[] {
  const events: LedgerEvent[] = [];
  for (const task of ledger.delayed) {
    const { notBeforeMs } = ledger.tasks.get(task) as TaskRow;
    if (notBeforeMs !== null && notBeforeMs <= atMs) events.push({ type: 'TaskDue', atMs, task });
  }
  return events;
}

/** When the next of those who are left would be silent for too long. */
export function nextLookMs(ledger: LiveLedger, beats: Beats, atMs: number): number | null {
  let nextMs: number | null = null;
  for (const row of foreign(ledger)) {
    const dueMs = lastHeardMs(row, beats) + silenceMs(row.spec) + 1;
    if (dueMs > atMs && (nextMs === null || dueMs < nextMs)) nextMs = dueMs;
  }
  return nextMs;
}

function lastHeardMs({ givenMs, spec }: TaskRow, beats: Beats): number {
  return Math.max(givenMs, beats[spec.task_id] ?? 0);
}

function* foreign(ledger: LiveLedger): Generator<TaskRow> {
  for (const task of ledger.active) {
    const row = ledger.tasks.get(task) as TaskRow;
    if (!row.begun && !row.work) yield row;
  }
}

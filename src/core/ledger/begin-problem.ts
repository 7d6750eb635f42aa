import type { Refusal } from '../kernel/decider.js';
import type { LedgerEvent } from './ledger-messages.js';
import { type LiveLedger, runsAlone, type TaskRow } from './ledger-state.js';

/** Why a task cannot be begun now: where it stands, what it needs, or who has its paths. */
export function beginProblem(ledger: LiveLedger, row: TaskRow): Refusal | undefined {
  const { spec, status, open: left } = row;
  const { task_id: task, dependencies, lock_scope } = spec;
  const serial = runsAlone(row);
  if (status !== 'todo' && status !== 'blocked') {
    return { code: 'INVALID_TRANSITION', reason: `${task} is ${status}`, details: { status } };
  }
  if (left > 0) {
    const waits = dependencies.filter((needed) => ledger.tasks.get(needed)?.status !== 'done');
    const reason = `${task} waits for ${waits.join(', ')}`;
    return { code: 'INVALID_TRANSITION', reason, details: { waits_for: waits } };
  }
  const alone = serial ? [...ledger.active][0] : [...ledger.active].find(isSerial(ledger));
  if (alone !== undefined) {
    const reason = serial ? `${task} runs alone, and ${alone} is at work` : `${alone} runs alone`;
    return { code: 'LOCK_CONFLICT', reason, details: { task_id: alone } };
  }
  const conflict = ledger.locks.conflict(task, lock_scope);
  if (!conflict) return undefined;
  const reason = `${conflict.resource} is locked by ${conflict.with.task} (${conflict.with.resource})`;
  return { code: 'LOCK_CONFLICT', reason, details: { task_id: conflict.with.task, resource: conflict.with.resource } };
}

function isSerial({ tasks }: LiveLedger): (task: string) => boolean {
  return (task) => runsAlone(tasks.get(task) as TaskRow);
}

export function begun(
  { spec, attempt }: TaskRow,
  by: Pick<Extract<LedgerEvent, { type: 'TaskAssigned' }>, 'atMs' | 'owner' | 'epoch' | 'own'>,
): LedgerEvent {
  return { type: 'TaskAssigned', task: spec.task_id, attempt: attempt + 1, ...by };
}

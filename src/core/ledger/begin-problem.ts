import type { Refusal } from '../kernel/decider.js';
import type { LiveLedger, TaskRow } from './ledger-state.js';

/** Why a task cannot be begun now: where it stands, what it needs, or who has its paths. */
export function beginProblem(ledger: LiveLedger, { spec, status, open: left }: TaskRow): Refusal | undefined {
  const { task_id: task, dependencies, lock_scope } = spec;
  if (status !== 'todo' && status !== 'blocked') {
    return { code: 'INVALID_TRANSITION', reason: `${task} is ${status}`, details: { status } };
  }
  if (left > 0) {
    const waits = dependencies.filter((needed) => ledger.tasks.get(needed)?.status !== 'done');
    const reason = `${task} waits for ${waits.join(', ')}`;
    return { code: 'INVALID_TRANSITION', reason, details: { waits_for: waits } };
  }
  const alone = spec.type === 'serial' ? [...ledger.active][0] : [...ledger.active].find(isSerial(ledger));
  if (alone !== undefined) {
    const reason = spec.type === 'serial' ? `${task} runs alone, and ${alone} is at work` : `${alone} runs alone`;
    return { code: 'LOCK_CONFLICT', reason, details: { task_id: alone } };
  }
  const conflict = ledger.locks.conflict(task, lock_scope);
  if (!conflict) return undefined;
  const reason = `${conflict.resource} is locked by ${conflict.with.task} (${conflict.with.resource})`;
  return { code: 'LOCK_CONFLICT', reason, details: { task_id: conflict.with.task, resource: conflict.with.resource } };
}

function isSerial({ tasks }: LiveLedger): (task: string) => boolean {
  return (task) => tasks.get(task)?.spec.type === 'serial';
}

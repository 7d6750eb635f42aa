import type { LedgerObject, LedgerTask } from '../../contracts/api/ledger-shapes.js';
import { resourceOf } from '../../contracts/shared/resource.js';
import { statusOf } from '../../core/ledger/ledger-decider.js';
import type { LiveLedger, TaskRow } from '../../core/ledger/ledger-state.js';

export function ledgerObject(ledger: LiveLedger): LedgerObject {
  const rows = [...ledger.tasks.values()];
  return {
    run_id: ledger.order.run,
    status: statusOf(ledger),
    version: ledger.version,
    tasks: rows.map(taskObject),
    active_locks: [...ledger.locks.all()].map(({ task, resource }) => ({
      ...{ task_id: task, resource: resourceOf(resource), active: true as const },
    })),
    blockers: rows.filter(({ status }) => status === 'blocked').map(blockerOf),
  };
}

function taskObject({ spec, status, owner, attempt, code, reason }: TaskRow): LedgerTask {
  const { task_id, title, dependencies, lock_scope } = spec;
  return { task_id, title, status, owner, attempt, code, reason, dependencies, lock_scope };
}

export function blockerOf({ spec, code, reason }: TaskRow): LedgerObject['blockers'][number] {
  return { task_id: spec.task_id, code: code ?? 'TASK_BLOCKED', reason: reason ?? 'it is blocked' };
}

import type { Run } from '../../contracts/api/run-shapes.js';
import type { RunRow } from '../ports.js';

const MICRO = 1_000_000;

/** A run as scripts get it. `item` is what it waits for in the inbox. */
export function runObject(row: RunRow, item: number | null): Run {
  const { run, kind, status, title, agent, project, parent, owes, ended, version, head, epoch, owner } = row;
  return {
    ...{ run_id: run, kind, status, title, agent, project, parent, owes, ended },
    ...{ waiting_for: item, waits_for: row.waitingFor },
    metrics: {
      cost_usd: row.costMicroUsd / MICRO,
      tokens: row.tokens,
      seconds: row.activeMs / 1_000,
      handoffs: row.handoffs,
    },
    wake_at: row.wakeAtMs === null ? null : new Date(row.wakeAtMs).toISOString(),
    ...{ version, head, epoch, owner },
    ...{ created_at: row.createdAt, updated_at: row.updatedAt },
  };
}

import type { RunRow } from '../ports.js';

const MICRO = 1_000_000;

/** A run as scripts get it. */
export function runObject(row: RunRow): Record<string, unknown> {
  const { run, kind, status, title, agent, project, parent, owes, ended, version, head, epoch, owner } = row;
  return {
    ...{ run_id: run, kind, status, title, agent, project, parent, waiting_for: row.waitingFor, owes, ended },
    wake_at: row.wakeAtMs === null ? null : new Date(row.wakeAtMs).toISOString(),
    ...{ cost_usd: row.costMicroUsd / MICRO, tokens: row.tokens, version, head, epoch, owner },
    ...{ created_at: row.createdAt, updated_at: row.updatedAt },
  };
}

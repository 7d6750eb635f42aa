import type { InboxItem } from '../contracts/api/inbox-shapes.js';
import type { Run, RunEvent } from '../contracts/api/run-shapes.js';
import type { InboxKind } from '../core/kernel/inbox.js';
import type { EventRow, InboxRow, RunRow } from '../engine/ports.js';

const MICRO = 1_000_000;

/** Rows of the store, out of what a server tells of them. */
export function runRow(run: Run): RunRow {
  const { run_id, kind, status, title, agent, project, parent, owes, ended, version, head, epoch, owner } = run;
  const { cost_usd, tokens, seconds, handoffs } = run.metrics;
  return {
    ...{
      run: run_id,
      kind,
      status,
      title,
      agent,
      project,
      parent,
      owes,
      ended,
      version,
      head,
      epoch,
      owner,
    },
    ...{ costMicroUsd: Math.round(cost_usd * MICRO), tokens, activeMs: seconds * 1_000, handoffs },
    wakeAtMs: run.wake_at === null ? null : Date.parse(run.wake_at),
    waitingFor: run.waits_for,
    ...{ createdAt: run.created_at, updatedAt: run.updated_at },
  };
}

/** Which key an event was written with, and in which epoch, is only told where the journal lies. */
export function eventRow({ position, run_id, seq, type, at, actor, data, hash }: RunEvent): EventRow {
  const text = typeof data === 'string' ? data : JSON.stringify(data);
  return { position, run: run_id, seq, type, data: text, at, actor, key: null, epoch: null, hash };
}

export function inboxRow({
  item,
  run_id,
  kind,
  status,
  title,
  question,
  created_at,
  expires_at,
  answered,
}: InboxItem): InboxRow {
  return {
    ...{ item, run: run_id, key: '', kind: kind as InboxKind, title, question, askedAt: created_at },
    expiresAtMs: expires_at === null ? null : Date.parse(expires_at),
    answeredAt: status === 'closed' ? (answered?.at ?? created_at) : null,
  };
}

import { BatonError } from '../../contracts/shared/errors.js';
import { PART_KIND, type RunFilter, type RunId, type RunRow } from '../../engine/ports.js';
import type { Connection } from './connection.js';
import type { Value } from './driver.js';
import { searchQuery } from './search-query.js';

export const PAGE_ROWS_MAX = 10_000;

const COLUMNS = `id, run_id AS run, kind, version, head, epoch, owner, status, title, agent, project, parent, owes,
  wake_at AS wakeAtMs, waiting_for AS waitingFor, ended, cost_micro_usd AS costMicroUsd, tokens, active_ms AS activeMs, handoffs,
  created_at AS createdAt, updated_at AS updatedAt`;

type Stored = Omit<RunRow, 'owes' | 'ended'> & { id: number; owes: number; ended: number };

export function readRun(connection: Connection, run: RunId): RunRow | undefined {
  const row = connection.get<Stored>(`SELECT ${COLUMNS} FROM run WHERE run_id = ?`, run);
  return row && toRunRow(row);
}

/** Newest first, in the order of creation: while pages are read no run is missed or seen twice. */
export function listRuns(connection: Connection, filter: RunFilter): { items: readonly RunRow[]; next: string | null } {
  const asked = filter.search?.trim() ? filter.search : undefined;
  const match = asked && searchQuery(asked);
  if (asked && !match) return { items: [], next: null };
  const limit = Math.min(filter.limit, PAGE_ROWS_MAX);
  const conditions: [sql: string, value: Value | undefined][] = [
    ['kind = ?', filter.kind],
    ['kind <> ?', filter.kind === undefined && !filter.parts ? PART_KIND : undefined],
    ['status = ?', filter.status],
    ['agent = ?', filter.agent],
    ['project = ?', filter.project],
    ['id < ?', filter.after === undefined ? undefined : readCursor(filter.after)],
    ['id IN (SELECT rowid FROM run_text WHERE run_text MATCH ?)', match],
  ];
  const wanted = conditions.flatMap(([sql, value]) => (value === undefined ? [] : [{ sql, value }]));
  const where = wanted.length === 0 ? '' : `WHERE ${wanted.map(({ sql }) => sql).join(' AND ')}`;
  const query = `SELECT ${COLUMNS} FROM run ${where} ORDER BY id DESC LIMIT ?`;
  const rows = connection.all<Stored>(query, ...wanted.map(({ value }) => value), limit + 1);
  const items = rows.slice(0, limit);
  return { items: items.map(toRunRow), next: rows.length > limit ? String(items.at(-1)?.id) : null };
}

function readCursor(after: string): number {
  if (/^\d{1,15}$/.test(after)) return Number(after);
  throw new BatonError('USAGE', `${JSON.stringify(after)} is no cursor of an earlier page`);
}

function toRunRow({ id, owes, ended, ...row }: Stored): RunRow {
  return { ...row, owes: owes === 1, ended: ended === 1 };
}

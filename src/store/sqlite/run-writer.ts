import { hash } from 'node:crypto';
import { BatonError } from '../../contracts/shared/errors.js';
import type { Append, Hash, RunId } from '../../engine/ports.js';
import type { Connection } from './connection.js';
import type { Value } from './driver.js';

/** What must be known of a run before anything is appended to it. */
export type Standing = {
  id: number;
  version: number;
  epoch: number;
  head: Hash;
  title: string;
  text_mark: string;
  owes: number;
  wake_at: number | null;
};

const SELECT_STANDING = `SELECT id, version, epoch, head, title, text_mark, owes, wake_at FROM run WHERE run_id = ?`;

/** Same order as `summaryValues`. */
const SUMMARY_COLUMNS = [
  'version',
  'head',
  'status',
  'title',
  'agent',
  'project',
  'parent',
  'waiting_for',
  'ended',
  'cost_micro_usd',
  'tokens',
  'active_ms',
  'handoffs',
  'text_mark',
  'updated_at',
] as const;
/** These lie in indexes, which SQLite writes again for every column it is told to set. */
const INDEXED_COLUMNS = ['owes', 'wake_at'] as const;

const GUARD = 'WHERE id = ? AND version = ? AND (? IS NULL OR epoch = ?)';
const ALL_COLUMNS = [...INDEXED_COLUMNS, ...SUMMARY_COLUMNS];
const INSERT_RUN = `INSERT INTO run (run_id, kind, epoch, owner, host, created_at, ${ALL_COLUMNS.join(', ')})
  VALUES (?, ?, ?, ?, (SELECT host FROM worker WHERE id = ?), ?, ${ALL_COLUMNS.map(() => '?').join(', ')})
  RETURNING id`;
const UPDATE_RUN = updateOf(SUMMARY_COLUMNS);
const UPDATE_ALL = updateOf(ALL_COLUMNS);
const HAND_BACK = updateOf(ALL_COLUMNS, ', owner = NULL, host = NULL');

export function standingOf(connection: Connection, run: RunId): Standing | undefined {
  return connection.get<Standing>(SELECT_STANDING, run);
}

/**
 * The run's row, and what search finds it by. A summary without a text leaves the text as it was. Answers with how the
 * run stands now.
 */
export function writeRun(connection: Connection, append: Append, standing: Standing | undefined): Standing {
  const { title, text } = append.summary;
  const mark = text === undefined ? (standing?.text_mark ?? '') : textMark(text);
  const values = summaryValues(append, mark);
  if (!standing) {
    const { id } = insertRun(connection, append, values);
    connection.run('INSERT INTO run_text (rowid, title, text) VALUES (?, ?, ?)', id, title, text ?? '');
    return standingAfter(append, id, append.owner === undefined ? 0 : 1, mark);
  }
  const changed = updateRun(connection, append, standing, values);
  if (changed !== 1) throw new BatonError('INTERNAL', `the row of run ${append.run} is not where it was seen`);
  if (title !== standing.title) connection.run('UPDATE run_text SET title = ? WHERE rowid = ?', title, standing.id);
  if (text !== undefined && mark !== standing.text_mark) {
    connection.run('UPDATE run_text SET text = ? WHERE rowid = ?', text, standing.id);
  }
  return standingAfter(append, standing.id, standing.epoch, mark);
}

function standingAfter(append: Append, id: number, epoch: number, mark: string): Standing {
  const { expected, events, prev, summary } = append;
  const [owes, wakeAt] = indexedValues(append);
  const version = expected + events.length;
  const head = events.at(-1)?.hash ?? prev;
  return { id, version, epoch, head, title: summary.title, text_mark: mark, owes, wake_at: wakeAt };
}

function updateRun(connection: Connection, append: Append, standing: Standing, values: Value[]): number {
  const fence = append.fence ?? null;
  const guard = [standing.id, append.expected, fence, fence];
  const [owes, wakeAt] = indexedValues(append);
  if (!append.handBack && standing.owes === owes && standing.wake_at === wakeAt) {
    return connection.run(UPDATE_RUN, ...values, ...guard);
  }
  return connection.run(append.handBack ? HAND_BACK : UPDATE_ALL, owes, wakeAt, ...values, ...guard);
}

function insertRun(connection: Connection, append: Append, values: Value[]): { id: number } {
  const owner = append.owner ?? null;
  const epoch = owner === null ? 0 : 1;
  const created = append.events[0]?.at ?? '';
  const inserted = connection.get<{ id: number }>(
    INSERT_RUN,
    append.run,
    append.kind,
    epoch,
    owner,
    owner,
    created,
    ...indexedValues(append),
    ...values,
  );
  if (!inserted) throw new BatonError('INTERNAL', `the row of run ${append.run} was not made`);
  return inserted;
}

function updateOf(columns: readonly string[], more = ''): string {
  return `UPDATE run SET ${columns.map((column) => `${column} = ?`).join(', ')}${more} ${GUARD}`;
}

function indexedValues({ summary }: Append): [owes: number, wakeAt: number | null] {
  return [summary.owes ? 1 : 0, summary.wakeAtMs];
}

function summaryValues({ expected, events, prev, summary }: Append, mark: string): Value[] {
  const last = events.at(-1);
  return [
    expected + events.length,
    last?.hash ?? prev,
    summary.status,
    summary.title,
    summary.agent,
    summary.project,
    summary.parent,
    summary.waitingFor,
    summary.ended ? 1 : 0,
    summary.costMicroUsd,
    summary.tokens,
    summary.activeMs,
    summary.handoffs,
    mark,
    last?.at ?? '',
  ];
}

/** Tells whether the text changed without keeping it a second time. */
function textMark(text: string): string {
  return text ? hash('sha256', text, 'base64') : '';
}

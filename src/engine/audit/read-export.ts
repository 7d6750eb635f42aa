import { BatonError } from '../../contracts/shared/errors.js';
import { readJson } from '../../contracts/shared/read-json.js';
import type { BatchRow, EventRow, Hasher, RunId } from '../ports.js';
import type { ExportLine } from './export-journal.js';
import { FINDINGS_MAX } from './finding.js';
import { type KnownHead, type Verification, verifyJournal, verifyRun } from './verify-journal.js';

/** An export read back. It is kept in memory: who verifies a larger journal does so where it lies. */
export type ReadExport = {
  run: RunId | null;
  events: readonly EventRow[];
  batches: readonly BatchRow[];
  end: Extract<ExportLine, { kind: 'end' }> | undefined;
};

export async function readExport(lines: AsyncIterable<string>): Promise<ReadExport> {
  const events: EventRow[] = [];
  const batches: BatchRow[] = [];
  let run: RunId | null | undefined;
  let end: ReadExport['end'];
  let number = 0;
  for await (const text of lines) {
    number += 1;
    if (text === '') continue;
    const line = readLine(text, number);
    if (number === 1) run = runOf(line);
    else if (line.kind === 'event') events.push(toRow(line));
    else if (line.kind === 'batch') batches.push(toBatch(line));
    else if (line.kind === 'end') end = line;
    else throw invalid(number, 'it is neither an event nor a batch');
  }
  if (run === undefined) throw invalid(1, 'the file is empty');
  return { run, events, batches, end };
}

/** The same judgement as of the store, but for the run rows, which are not in it. */
export async function verifyExport(
  read: ReadExport,
  hasher: Hasher,
  options: { head?: KnownHead } = {},
): Promise<Verification> {
  const source = {
    feed: async (after: number, limit: number) => pageAfter(read.events, ({ position }) => position, after, limit),
    batches: async (after: number, limit: number) => pageAfter(read.batches, ({ batch }) => batch, after, limit),
  };
  const verified =
    read.run === null ? await verifyJournal(source, hasher, options) : await verifyRun(read.events, hasher);
  const { end } = read;
  const hash = read.run === null ? read.batches.at(-1)?.hash : read.events.at(-1)?.hash;
  const whole = end && end.events === read.events.length && end.batches === read.batches.length;
  if (whole && end.hash === (hash ?? '')) return verified;
  const says = end ? 'the export does not hold what its last line says' : 'the export was cut off';
  const cut = { kind: 'event-missing', says, position: verified.position + 1 } as const;
  return { ...verified, ok: false, findings: [...verified.findings, cut].slice(0, FINDINGS_MAX + 1) };
}

function readLine(text: string, number: number): ExportLine {
  const read = readJson(text);
  if ('denial' in read) throw invalid(number, read.denial.reason);
  if (typeof read.value !== 'object' || read.value === null) throw invalid(number, 'it is no object');
  return read.value as ExportLine;
}

function runOf(line: ExportLine): RunId | null {
  if (line.kind !== 'baton-journal') throw invalid(1, 'it does not begin an export of a journal');
  if (line.version !== 1) throw invalid(1, `its version is ${String(line.version)}, not 1`);
  return line.run_id;
}

function toRow({ kind: _, run_id: run, ...row }: Extract<ExportLine, { kind: 'event' }>): EventRow {
  return { ...row, run };
}

function toBatch({ batch, first_position, events, digest, hash }: Extract<ExportLine, { kind: 'batch' }>): BatchRow {
  return { batch, firstPosition: first_position, events, digest, hash };
}

/** The lines stand in order, so a page begins where a search by halves says. */
function pageAfter<T>(rows: readonly T[], key: (row: T) => number, after: number, limit: number): readonly T[] {
  let low = 0;
  let high = rows.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (key(rows[middle] as T) <= after) low = middle + 1;
    else high = middle;
  }
  return rows.slice(low, low + limit);
}

function invalid(line: number, why: string): BatonError {
  return new BatonError('EXPORT_INVALID', `line ${line} of the export: ${why}`, { line });
}

import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import type { SignedHead } from '../../contracts/api/audit-shapes.js';
import { type ExportLine, exportJournal, exportRun } from '../../engine/audit/export-journal.js';
import { readExport, verifyExport } from '../../engine/audit/read-export.js';
import { judgeSignature, knownHead, readSignedHead, signHead } from '../../engine/audit/signed-head.js';
import { type Verification, verifyJournal, verifyRun } from '../../engine/audit/verify-journal.js';
import type { Home } from '../../engine/opened-home.js';
import type { EventRow, EventStore } from '../../engine/ports.js';
import { eventObject } from '../../engine/shown/event-object.js';
import { refuseBroken } from '../audit-failure.js';
import { findRun } from '../find-run.js';
import { counted } from '../grouped-number.js';
import type { Io } from '../io.js';
import { mark } from '../mark.js';
import { type HomeCommand, inHome } from '../opened-home.js';
import { textOption } from '../option-values.js';
import { printable, printableJson } from '../printable.js';
import { untilStopped } from '../until-stopped.js';
import { readInput } from '../validate/read-input.js';

const PAGE = 500;
const HEAD_BYTES_MAX = 64 * 1024;

export const runAuditVerify: HomeCommand = (parsed, io, open) =>
  inHome(open, async (home) => {
    const json = parsed.values.json === true;
    const headFile = textOption(parsed, 'head');
    const head = headFile === undefined ? undefined : readSignedHead(await readSmall(headFile, io));
    const verified = await verify(home, io, textOption(parsed, 'export'), head);
    const forged = head && (await judgeSignature(head, home.signer));
    const findings = forged ? [forged, ...verified.findings] : verified.findings;
    if (findings.length > 0) throw refuseBroken(io, { findings, more: verified.more }, json);
    const { runs, events, batches, position, hash } = verified;
    const contained = head && { position: head.position, batch: head.batch, at: head.at, public_key: head.public_key };
    if (json)
      io.out(`${printableJson({ ok: true, runs, events, batches, position, hash, head: contained ?? null })}\n`);
    else io.out(`${[intact(io, verified, head), headAdvice(head, position)].filter(Boolean).join('\n')}\n`);
    return 0;
  });

export const runAuditHead: HomeCommand = ({ values }, io, open) =>
  inHome(open, async ({ store, hasher, clock, signer }) => {
    const verified = await verifyJournal(store, hasher);
    if (!verified.ok) throw refuseBroken(io, verified, values.json === true);
    const head = await signHead(verified, clock, signer);
    io.out(`${printableJson(head)}\n`);
    if (!values.json) io.err('Keep this elsewhere. Later: baton audit verify --head FILE\n');
    return 0;
  });

export const runAuditShow: HomeCommand = ({ positionals: [id = ''], values }, io, open) =>
  inHome(open, async ({ store, hasher }) => {
    const json = values.json === true;
    const { run, kind, status, version, head } = await findRun(store, id);
    const rows = await eventsOf(store, run);
    const verified = await verifyRun(rows, hasher);
    if (!json) {
      io.out(`${printable(`${run}   ${kind}   ${status}   ${counted(rows.length, 'event')}`)}\n`);
      for (const row of rows) io.out(`${printable(auditLine(row))}\n`);
    }
    if (!verified.ok) throw refuseBroken(io, verified, json);
    const items = rows.map((row) => ({ ...eventObject(row), key: row.key, epoch: row.epoch }));
    if (json) io.out(`${printableJson({ ok: true, run_id: run, kind, status, version, head, items, next: null })}\n`);
    else io.out(`${mark(io, 'ok')} chain intact, head ${head}\n`);
    return 0;
  });

export const runAuditExport: HomeCommand = (parsed, io, open) =>
  inHome(open, async ({ store }) => {
    const id = textOption(parsed, 'run');
    const lines = id === undefined ? exportJournal(store) : exportRun(store, (await findRun(store, id)).run);
    return print(lines, io);
  });

async function print(lines: AsyncIterable<ExportLine>, io: Io): Promise<number> {
  const stop = untilStopped();
  try {
    for await (const line of lines) {
      if (stop.signal.aborted) break;
      io.out(`${printableJson(line)}\n`);
    }
    return stop.why() === 'interrupted' ? 130 : 0;
  } finally {
    stop.forget();
  }
}

async function verify(
  { store, hasher }: Home,
  io: Io,
  exported: string | undefined,
  head: SignedHead | undefined,
): Promise<Verification> {
  const options = head ? { head: knownHead(head) } : {};
  if (exported === undefined) return verifyJournal(store, hasher, options);
  const lines = createInterface({ input: Readable.from(readInput(exported, io)), crlfDelay: Number.POSITIVE_INFINITY });
  return verifyExport(await readExport(lines), hasher, options);
}

function intact(io: Io, { runs, events }: Verification, head: SignedHead | undefined): string {
  const told = `${counted(runs, 'run')}, ${counted(events, 'event')}, every hash as recorded`;
  const contains = head ? `; contains the signed head of ${printable(head.at.slice(0, 10))}` : '';
  return `${mark(io, 'ok')} ${told}${contains}`;
}

/** Whoever can rewrite the whole journal can make it verify again; only a head kept elsewhere shows that. */
function headAdvice(head: SignedHead | undefined, position: number): string | undefined {
  if (head || position === 0) return undefined;
  return '  To notice a journal rewritten as a whole, keep one elsewhere: baton audit head';
}

function auditLine({ seq, position, at, type, actor, key, hash }: EventRow): string {
  return `${String(seq).padStart(5)}  ${String(position).padStart(7)}  ${at}  ${hash.slice(0, 12)}  ${type}  ${actor}${key === null ? '' : `  ${key}`}`;
}

async function eventsOf(store: EventStore, run: string): Promise<EventRow[]> {
  const all: EventRow[] = [];
  for (;;) {
    const rows = await store.events(run, all.at(-1)?.seq ?? 0, PAGE);
    all.push(...rows);
    if (rows.length < PAGE) return all;
  }
}

async function readSmall(file: string, io: Io): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of readInput(file, io)) {
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes > HEAD_BYTES_MAX) break;
  }
  return Buffer.concat(chunks);
}

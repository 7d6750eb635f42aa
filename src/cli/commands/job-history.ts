import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { BatonError } from '../../contracts/shared/errors.js';
import { readJson } from '../../contracts/shared/read-json.js';
import type { Desk } from '../../engine/desk.js';
import { exportJob } from '../../engine/job/export-job.js';
import { importHistory } from '../../engine/job/import-history.js';
import { replay } from '../../engine/job/replay-history.js';
import { replayJob } from '../../engine/job/replay-job.js';
import type { Baton } from '../../engine/opened-baton.js';
import { eventsIn } from '../../engine/shown/job-history-in.js';
import { findRun } from '../find-run.js';
import type { Io } from '../io.js';
import { mark } from '../mark.js';
import { type BatonCommand, inBaton } from '../opened-baton.js';
import { atDesk, type DeskCommand } from '../opened-desk.js';
import { countOption } from '../option-values.js';
import { printable, printableJson } from '../printable.js';
import { readWhole } from '../read-whole.js';

const HISTORY_BYTES_MAX = 512 * 1024 * 1024;

/** Commands that only read one job. */
function reading(tell: (desk: Desk, run: string) => Promise<unknown>): DeskCommand {
  return (parsed, io, open) =>
    atDesk(open, {}, async (desk) => {
      const { run } = await findRun(desk.store, parsed.positionals[0] ?? '', io.cwd);
      const value = await tell(desk, run);
      io.out(parsed.values.json ? `${printableJson(value)}\n` : `${indented(value)}\n`);
      return 0;
    });
}

/** From the store, never from the file. */
export const runJobHistory = reading((desk, run) => desk.history(run));

export const runJobManifest = reading((desk, run) => desk.manifest(run));

export const runJobMetrics: DeskCommand = (parsed, io, open) =>
  atDesk(open, {}, async (desk) => {
    const { run } = await findRun(desk.store, parsed.positionals[0] ?? '', io.cwd);
    const { metrics } = await desk.jobs.show(run);
    if (parsed.values.csv) {
      io.out(`job_id,${Object.keys(metrics).join(',')}\n${run},${Object.values(metrics).join(',')}\n`);
    } else io.out(parsed.values.json ? `${printableJson({ job_id: run, metrics })}\n` : `${indented(metrics)}\n`);
    return 0;
  });

/** A job of this home, or any file with a history. */
export const runJobReplay: BatonCommand = (parsed, io, open) =>
  inBaton(open, {}, async (baton) => {
    const [what = ''] = parsed.positionals;
    const until = countOption(parsed, 'until', { min: 0, max: Number.MAX_SAFE_INTEGER });
    const file = path.resolve(io.cwd, what);
    const bytes = await readFile(file).catch((failure: NodeJS.ErrnoException) => {
      if (['ENOENT', 'ENOTDIR', 'EISDIR'].includes(failure.code ?? '')) return undefined; // then it is a job
      throw new BatonError('INPUT_UNREADABLE', `${file} cannot be read (${failure.code})`, { file });
    });
    const upTo = until === undefined ? {} : { until };
    const result = bytes
      ? replay(parsedFile(bytes, file), upTo)
      : await replayIn(baton, (await findRun(baton.store, what, io.cwd)).run, upTo);
    if (!result.ok) {
      const { sequence, reason, expected, found } = result;
      throw new BatonError('REPLAY_MISMATCH', `interaction ${sequence}: ${reason}`, { sequence, expected, found });
    }
    if (parsed.values.json) io.out(`${printableJson(result)}\n`);
    else io.out(`${mark(io, 'ok')} ${result.checked} interactions, every move follows\n`);
    return 0;
  });

export const runJobExport: BatonCommand = (parsed, io, open) =>
  inBaton(open, {}, async (baton) => {
    const [id = '', file = ''] = parsed.positionals;
    const { run } = await findRun(baton.store, id, io.cwd);
    const text = `${JSON.stringify(await exportJob(baton.store, run), null, 2)}\n`;
    if (file === '-') io.out(text);
    else await write(io, file, text);
    if (file !== '-') io.err(`${printable(run)} is in ${printable(file)}.\n`);
    return 0;
  });

export const runJobImport: BatonCommand = (parsed, io, open) =>
  inBaton(open, {}, async (baton) => {
    const file = path.resolve(io.cwd, parsed.positionals[0] ?? '');
    const bytes = await readWhole(file, io, HISTORY_BYTES_MAX);
    const { options, warnings } = importHistory(bytes);
    const object = await baton.jobs.create(options, { actor: io.env.USER ?? 'cli' });
    for (const warning of warnings) io.err(`${mark(io, 'note')} ${printable(warning)}\n`);
    if (parsed.values.json) io.out(`${printableJson(object)}\n`);
    else io.err(`${printable(object.job_id)}   ${object.status}\n  baton job activate ${printable(object.job_id)}\n`);
    return 0;
  });

async function replayIn({ store, jobs }: Baton, run: string, upTo: { until?: number }) {
  await jobs.state(run);
  return replayJob(run, eventsIn(store, run), { body: (sha256) => store.body(sha256) }, upTo);
}

function parsedFile(bytes: Uint8Array, file: string): unknown {
  const read = readJson(bytes, HISTORY_BYTES_MAX);
  if ('denial' in read) throw new BatonError(read.denial.code, `${file}: ${read.denial.reason}`, { file });
  return read.value;
}

async function write(io: Io, file: string, text: string): Promise<void> {
  const whole = path.resolve(io.cwd, file);
  await writeFile(whole, text, { flag: 'wx', mode: 0o600 }).catch((failure: NodeJS.ErrnoException) => {
    if (failure.code === 'EEXIST') throw new BatonError('FILE_EXISTS', `${whole} exists already`, { file: whole });
    throw new BatonError('FILE_UNWRITABLE', `${whole} cannot be written (${failure.code})`, { file: whole });
  });
}

/** For people: indented, and safe on a terminal line by line. */
function indented(value: unknown): string {
  return JSON.stringify(value, null, 2).split('\n').map(printable).join('\n');
}

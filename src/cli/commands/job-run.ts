import type { JobObject } from '../../contracts/api/job-shapes.js';
import type { Desk } from '../../engine/desk.js';
import type { Parsed } from '../command.js';
import { findRun } from '../find-run.js';
import type { Io } from '../io.js';
import { askInPlace } from '../job/ask-in-place.js';
import { driveUntilRest, RunTail } from '../job/drive.js';
import { jobExit } from '../job/job-exit.js';
import { nextStep, statusWords, successLines } from '../job/job-view.js';
import { LiveLines, plainLine } from '../job/live-lines.js';
import { tellAll } from '../job/queue-tail.js';
import { atDesk, type DeskCommand } from '../opened-desk.js';
import { printable, printableJson } from '../printable.js';
import { eventJsonLine } from '../show-event.js';
import { untilStopped } from '../until-stopped.js';

/** What is nearly done may end; the rest is handed back. */
const STOP_GRACE_MS = 1_000;

export const runJobRun: DeskCommand = (parsed, io, open) => {
  const [id] = parsed.positionals;
  if (id === undefined) return atDesk(open, { drives: true, claimsAny: true }, (desk) => runQueue(desk, parsed, io));
  return atDesk(open, { drives: true }, async (desk) => {
    const { run } = await findRun(desk.store, id, io.cwd);
    await desk.jobs.go(run, null, { actor: io.env.USER ?? 'cli' });
    return watchToRest(desk, parsed, io, run);
  });
};

export const runJobStep: DeskCommand = (parsed, io, open) =>
  atDesk(open, { drives: true, handoffsMax: 1 }, async (desk) => {
    const { run } = await findRun(desk.store, parsed.positionals[0] ?? '', io.cwd);
    await desk.jobs.go(run, null, { actor: io.env.USER ?? 'cli' });
    return watchToRest(desk, parsed, io, run, { oneHandoff: true });
  });

/** Drives or watches a job until it rests, telling what happens; asks whoever is at the terminal; says how it stands. */
export async function watchToRest(
  desk: Desk,
  parsed: Parsed,
  io: Io,
  run: string,
  { oneHandoff = false, after }: { oneHandoff?: boolean; after?: number } = {},
): Promise<number> {
  const asks = io.ask !== undefined && !parsed.values.json && !parsed.values['no-input'] && !oneHandoff;
  for (let from = after; ; ) {
    const interrupted = await watchOnce(desk, parsed, io, run, { oneHandoff, after: from });
    const item = asks && !interrupted ? (await desk.jobs.show(run)).waiting_for : null;
    from = (await desk.store.run(run))?.version;
    if (item !== null && (await askInPlace(desk, io, item))) continue;
    const object = await tellEnd(desk, parsed, io, run, interrupted);
    return interrupted ? 130 : jobExit(object);
  }
}

/** True when it was interrupted. */
async function watchOnce(
  desk: Desk,
  parsed: Parsed,
  io: Io,
  run: string,
  { oneHandoff, after }: { oneHandoff: boolean; after: number | undefined },
): Promise<boolean> {
  const stop = untilStopped();
  const enough = new AbortController();
  stop.signal.addEventListener('abort', () => enough.abort());
  const before = after ?? (await desk.store.run(run))?.version ?? 0;
  const lines = new LiveLines(io, (sha256) => desk.body(run, sha256));
  const tail = new RunTail(desk, run, before, async (event, row) => {
    if (!parsed.values.json) {
      if (io.terminal.err) await lines.tell(event);
      else io.err(`${plainLine(row)}\n`);
    }
    if (oneHandoff && event.type === 'HandoffEnded') enough.abort();
  });
  try {
    await driveUntilRest(desk, run, enough.signal);
    if (enough.signal.aborted) await desk.engine.stop(0);
    await tail.end();
    return stop.why() === 'interrupted';
  } finally {
    stop.forget();
  }
}

export async function tellEnd(
  desk: Desk,
  parsed: Parsed,
  io: Io,
  run: string,
  interrupted: boolean,
): Promise<JobObject> {
  const [object, job] = await Promise.all([desk.jobs.show(run), desk.jobs.state(run)]);
  if (parsed.values.json) {
    io.out(`${printableJson(object)}\n`);
    return object;
  }
  if (job.status === 'SUCCESS') {
    io.err(`\n${successLines(object, job).map(printable).join('\n')}\n`);
    return object;
  }
  const driven = desk.served !== null && (await desk.store.run(run))?.owner != null;
  const { why, next } = nextStep(object, job, driven);
  if (interrupted) io.err(`\n${run} ${driven ? 'goes on without you' : 'keeps its work and goes on where it was'}.\n`);
  else io.err(`\n${statusWords(job)}  ${run}\n`);
  io.err(`  ${why}${object.waiting_for === null ? '' : ' Nothing is spent meanwhile; it survives a reboot.'}\n`);
  if (next !== null) io.err(`  ${next}\n`);
  return object;
}

/** All jobs that are due; with --watch also those that come. */
async function runQueue(desk: Desk, parsed: Parsed, io: Io): Promise<number> {
  const stop = untilStopped();
  const over = new AbortController();
  const seen = new Set<string>();
  const telling = tellAll(desk, over.signal, (row) => {
    seen.add(row.run);
    if (!parsed.values.json) io.err(`${plainLine(row)}\n`);
    else if (parsed.values.watch) io.out(eventJsonLine(row));
  });
  try {
    await (parsed.values.watch ? takeAsTheyCome(desk, io, stop.signal) : takeWhatIsDue(desk, stop.signal));
  } finally {
    over.abort();
    await telling;
    stop.forget();
  }
  if (parsed.values.json && !parsed.values.watch) {
    const jobs = (await Promise.all([...seen].map((run) => desk.store.run(run)))).filter((row) => row?.kind === 'job');
    const items = await Promise.all(jobs.map((row) => desk.jobs.show(row?.run ?? '')));
    io.out(`${printableJson({ items, next: null })}\n`);
  }
  return stop.why() === 'interrupted' ? 130 : 0;
}

async function takeAsTheyCome(desk: Desk, io: Io, signal: AbortSignal): Promise<void> {
  io.err('Taking jobs as they come. Ctrl-C ends it and hands them back.\n');
  if (!signal.aborted) await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
  await desk.engine.stop(STOP_GRACE_MS);
}

async function takeWhatIsDue(desk: Desk, signal: AbortSignal): Promise<void> {
  await desk.engine.untilIdle(signal);
  await desk.engine.stop(0);
}

import type { JobObject } from '../../engine/job/job-object.js';
import type { Baton } from '../../engine/opened-baton.js';
import type { Parsed } from '../command.js';
import { findRun } from '../find-run.js';
import type { Io } from '../io.js';
import { askInPlace } from '../job/ask-in-place.js';
import { driveUntilRest, RunTail } from '../job/drive.js';
import { jobExit } from '../job/job-exit.js';
import { nextStep, statusWords, successLines } from '../job/job-view.js';
import { LiveLines, plainLine } from '../job/live-lines.js';
import { tellAll } from '../job/queue-tail.js';
import { type BatonCommand, inBaton } from '../opened-baton.js';
import { printable, printableJson } from '../printable.js';
import { eventJsonLine } from '../show-event.js';
import { untilStopped } from '../until-stopped.js';

/** What is nearly done may end; the rest is handed back. */
const STOP_GRACE_MS = 1_000;

export const runJobRun: BatonCommand = (parsed, io, open) => {
  const [id] = parsed.positionals;
  if (id === undefined) return inBaton(open, { drives: true, claimsAny: true }, (baton) => runQueue(baton, parsed, io));
  return inBaton(open, { drives: true }, async (baton) => {
    const { run } = await findRun(baton.store, id, io.cwd);
    await baton.jobs.go(run, null, { actor: io.env.USER ?? 'cli' });
    return watchToRest(baton, parsed, io, run);
  });
};

export const runJobStep: BatonCommand = (parsed, io, open) =>
  inBaton(open, { drives: true, handoffsMax: 1 }, async (baton) => {
    const { run } = await findRun(baton.store, parsed.positionals[0] ?? '', io.cwd);
    await baton.jobs.go(run, null, { actor: io.env.USER ?? 'cli' });
    return watchToRest(baton, parsed, io, run, { oneHandoff: true });
  });

/** Drives or watches a job until it rests, telling what happens; asks whoever is at the terminal; says how it stands. */
export async function watchToRest(
  baton: Baton,
  parsed: Parsed,
  io: Io,
  run: string,
  { oneHandoff = false, after }: { oneHandoff?: boolean; after?: number } = {},
): Promise<number> {
  const asks = io.ask !== undefined && !parsed.values.json && !parsed.values['no-input'] && !oneHandoff;
  for (let from = after; ; ) {
    const interrupted = await watchOnce(baton, parsed, io, run, { oneHandoff, after: from });
    const item = asks && !interrupted ? (await baton.jobs.show(run)).waiting_for : null;
    from = (await baton.store.run(run))?.version;
    if (item !== null && (await askInPlace(baton, io, item))) continue;
    const object = await tellEnd(baton, parsed, io, run, interrupted);
    return interrupted ? 130 : jobExit(object);
  }
}

/** True when it was interrupted. */
async function watchOnce(
  baton: Baton,
  parsed: Parsed,
  io: Io,
  run: string,
  { oneHandoff, after }: { oneHandoff: boolean; after: number | undefined },
): Promise<boolean> {
  const stop = untilStopped();
  const enough = new AbortController();
  stop.signal.addEventListener('abort', () => enough.abort());
  const before = after ?? (await baton.store.run(run))?.version ?? 0;
  const lines = new LiveLines(io, (sha256) => baton.body(sha256));
  const tail = new RunTail(baton, run, before, async (event, row) => {
    if (!parsed.values.json) {
      if (io.terminal.err) await lines.tell(event);
      else io.err(`${plainLine(row)}\n`);
    }
    if (oneHandoff && event.type === 'HandoffEnded') enough.abort();
  });
  try {
    await driveUntilRest(baton, run, enough.signal);
    if (enough.signal.aborted) await baton.engine.stop(0);
    await tail.end();
    return stop.why() === 'interrupted';
  } finally {
    stop.forget();
  }
}

export async function tellEnd(
  baton: Baton,
  parsed: Parsed,
  io: Io,
  run: string,
  interrupted: boolean,
): Promise<JobObject> {
  const [object, job] = await Promise.all([baton.jobs.show(run), baton.jobs.state(run)]);
  if (parsed.values.json) {
    io.out(`${printableJson(object)}\n`);
    return object;
  }
  if (job.status === 'SUCCESS') {
    io.err(`\n${successLines(object, job).map(printable).join('\n')}\n`);
    return object;
  }
  const { why, next } = nextStep(object, job, false);
  if (interrupted) io.err(`\n${run} keeps its work and goes on where it was.\n`);
  else io.err(`\n${statusWords(job)}  ${run}\n`);
  io.err(`  ${why}${object.waiting_for === null ? '' : ' Nothing is spent meanwhile; it survives a reboot.'}\n`);
  if (next !== null) io.err(`  ${next}\n`);
  return object;
}

/** All jobs that are due; with --watch also those that come. */
async function runQueue(baton: Baton, parsed: Parsed, io: Io): Promise<number> {
  const stop = untilStopped();
  const over = new AbortController();
  const seen = new Set<string>();
  const telling = tellAll(baton, over.signal, (row) => {
    seen.add(row.run);
    if (!parsed.values.json) io.err(`${plainLine(row)}\n`);
    else if (parsed.values.watch) io.out(eventJsonLine(row));
  });
  try {
    await (parsed.values.watch ? takeAsTheyCome(baton, io, stop.signal) : takeWhatIsDue(baton, stop.signal));
  } finally {
    over.abort();
    await telling;
    stop.forget();
  }
  if (parsed.values.json && !parsed.values.watch) {
    const jobs = (await Promise.all([...seen].map((run) => baton.store.run(run)))).filter((row) => row?.kind === 'job');
    const items = await Promise.all(jobs.map((row) => baton.jobs.show(row?.run ?? '')));
    io.out(`${printableJson({ items, next: null })}\n`);
  }
  return stop.why() === 'interrupted' ? 130 : 0;
}

async function takeAsTheyCome(baton: Baton, io: Io, signal: AbortSignal): Promise<void> {
  io.err('Taking jobs as they come. Ctrl-C ends it and hands them back.\n');
  if (!signal.aborted) await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
  await baton.engine.stop(STOP_GRACE_MS);
}

async function takeWhatIsDue(baton: Baton, signal: AbortSignal): Promise<void> {
  await baton.engine.untilIdle(signal);
  await baton.engine.stop(0);
}

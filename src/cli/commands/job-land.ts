import { findRun } from '../find-run.js';
import { counted } from '../grouped-number.js';
import { driveUntilRest } from '../job/drive.js';
import { mark } from '../mark.js';
import { atDesk, type DeskCommand } from '../opened-desk.js';
import { textOption } from '../option-values.js';
import { printable, printableJson } from '../printable.js';
import { untilStopped } from '../until-stopped.js';

const HASH_SHOWN = 7;

export const runJobLand: DeskCommand = (parsed, io, open) =>
  atDesk(open, { drives: true }, async (desk) => {
    const { run: job } = await findRun(desk.store, parsed.positionals[0] ?? '', io.cwd);
    const how = { into: textOption(parsed, 'into') ?? null, squash: parsed.values.squash === true };
    const run = await desk.landings.begin(job, how, io.env.USER ?? 'cli');
    const stop = untilStopped();
    try {
      await driveUntilRest(desk, run, stop.signal);
    } finally {
      stop.forget();
    }
    if (stop.why() === 'interrupted') return 130;
    const landing = await desk.landings.state(run);
    const outcome = landing.status === 'new' ? null : landing.outcome;
    if (parsed.values.json) {
      io.out(`${printableJson({ run_id: run, job_id: job, status: landing.status, outcome })}\n`);
    } else {
      for (const line of linesOf(outcome, job)) io.err(`${printable(line)}\n`);
    }
    if (landing.status === 'landed') return 0;
    return landing.status === 'refused' ? 1 : 3;

    function linesOf(what: typeof outcome, id: string): string[] {
      const [ok, bad] = [mark(io, 'ok'), mark(io, 'bad')];
      switch (what?.type) {
        case 'landed': {
          const branch = what.ref.replace('refs/heads/', '');
          if (what.from === what.to) return [`${ok} ${branch} has the work of ${id} already.`];
          const [to, from] = [what.to.slice(0, HASH_SHOWN), what.from.slice(0, HASH_SHOWN)];
          return [
            `${ok} ${branch} is now ${to} (was ${from}), ${counted(what.files, 'file')}.`,
            `  undo: git reset --keep ${from}`,
          ];
        }
        case 'conflict':
          return [`${bad} ${id} conflicts in ${what.files.join(', ')}. Nothing was changed.`, '  baton inbox'];
        case 'checks-failed': {
          const failed = what.results.filter(({ exitCode }) => exitCode !== 0).map(({ argv }) => argv.join(' '));
          return [`${bad} on the merged tree ${failed.join(', ')} fails. Nothing was changed.`, '  baton inbox'];
        }
        case 'refused':
          return [`Refused: ${what.reason}`];
        default:
          return [`${id} is still landing: baton job land ${id}`];
      }
    }
  });

export const runJobDiff: DeskCommand = (parsed, io, open) =>
  atDesk(open, {}, async (desk) => {
    const { run } = await findRun(desk.store, parsed.positionals[0] ?? '', io.cwd);
    const patch = await desk.diff(run);
    if (parsed.values.json) io.out(`${printableJson({ job_id: run, patch })}\n`);
    else for (const line of patch.split('\n')) io.out(`${printable(line)}\n`);
    return 0;
  });

export const runJobFork: DeskCommand = (parsed, io, open) =>
  atDesk(open, {}, async (desk) => {
    const { run } = await findRun(desk.store, parsed.positionals[0] ?? '', io.cwd);
    const id = textOption(parsed, 'id');
    const actor = io.env.USER ?? 'cli';
    const object = await desk.jobs.fork(run, {
      point: textOption(parsed, 'to') ?? null,
      actor,
      ...(id !== undefined && { id }),
    });
    if (parsed.values.json) io.out(`${printableJson(object)}\n`);
    else io.err(`${printable(object.job_id)}   ${object.status}\n  baton job run ${printable(object.job_id)}\n`);
    return 0;
  });

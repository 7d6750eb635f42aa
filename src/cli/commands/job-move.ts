import type { Desk } from '../../engine/desk.js';
import type { JobAct, Said } from '../../engine/job/job-acts.js';
import type { Parsed } from '../command.js';
import { findRun } from '../find-run.js';
import type { Io } from '../io.js';
import { isDriven } from '../job/goes-on-with.js';
import { nextStep, statusWords } from '../job/job-view.js';
import { readLimits } from '../job/read-options.js';
import { atDesk, type DeskCommand } from '../opened-desk.js';
import { countOption, textOption } from '../option-values.js';
import { printable, printableJson } from '../printable.js';

const PHASES_MAX = 1_000;
const RANK_MAX = 1_000_000;

/** Commands that change one job and print how it stands then. */
function moving(act: JobAct): DeskCommand {
  return (parsed, io, open) =>
    atDesk(open, {}, async (desk) => {
      const { run } = await findRun(desk.store, parsed.positionals[0] ?? '', io.cwd);
      await desk.act(run, act, saidIn(parsed), { actor: io.env.USER ?? 'cli' });
      return showJob(desk, run, parsed, io);
    });
}

async function showJob(desk: Desk, run: string, parsed: Parsed, io: Io): Promise<number> {
  const object = await desk.jobs.show(run);
  if (parsed.values.json) {
    io.out(`${printableJson(object)}\n`);
    return 0;
  }
  const job = await desk.jobs.state(run);
  const row = await desk.store.run(run);
  const { why, next } = nextStep(object, job, row !== undefined && (await isDriven(desk.store, row)));
  io.err(`${printable(run)}   ${statusWords(job)}\n  ${why}\n${next === null ? '' : `  ${next}\n`}`);
  return 0;
}

function saidIn(parsed: Parsed): Said {
  const { file } = parsed.values;
  const step = countOption(parsed, 'step', { min: 1, max: PHASES_MAX });
  const rank = countOption(parsed, 'rank', { min: -RANK_MAX, max: RANK_MAX });
  return {
    limits: readLimits(parsed),
    ...(step !== undefined && { step }),
    ...(rank !== undefined && { rank }),
    ...(Array.isArray(file) && { files: file }),
    ...Object.fromEntries(
      ['guidance', 'phase', 'to', 'description'].flatMap((name) => {
        const text = textOption(parsed, name);
        return text === undefined ? [] : [[name, text]];
      }),
    ),
  };
}

export const jobMoves = {
  activate: moving('activate'),
  cancel: moving('cancel'),
  approve: moving('approve'),
  terminate: moving('terminate'),
  rerun: moving('rerun'),
  resubmit: moving('resubmit'),
  reject: moving('reject'),
  raise: moving('raise'),
  restep: moving('restep'),
  rank: moving('rank'),
  rollback: moving('rollback'),
  checkpoint: moving('checkpoint'),
} satisfies Record<string, DeskCommand>;

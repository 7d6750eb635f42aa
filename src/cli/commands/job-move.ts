import { BatonError } from '../../contracts/shared/errors.js';
import { refusePath } from '../../contracts/shared/relative-path.js';
import { limitsOf } from '../../engine/job/job-options.js';
import type { Baton } from '../../engine/opened-baton.js';
import type { Parsed } from '../command.js';
import { findRun } from '../find-run.js';
import type { Io } from '../io.js';
import { nextStep, statusWords } from '../job/job-view.js';
import { readLimits } from '../job/read-options.js';
import { type BatonCommand, inBaton } from '../opened-baton.js';
import { countOption, textOption } from '../option-values.js';
import { printable, printableJson } from '../printable.js';

type Move = (baton: Baton, run: string, parsed: Parsed, actor: string) => Promise<unknown>;

/** Commands that change one job and print how it stands then. */
function moving(move: Move): BatonCommand {
  return (parsed, io, open) =>
    inBaton(open, {}, async (baton) => {
      const { run } = await findRun(baton.store, parsed.positionals[0] ?? '', io.cwd);
      await move(baton, run, parsed, io.env.USER ?? 'cli');
      return showJob(baton, run, parsed, io);
    });
}

async function showJob(baton: Baton, run: string, parsed: Parsed, io: Io): Promise<number> {
  const object = await baton.jobs.show(run);
  if (parsed.values.json) {
    io.out(`${printableJson(object)}\n`);
    return 0;
  }
  const job = await baton.jobs.state(run);
  const row = await baton.store.run(run);
  const { why, next } = nextStep(object, job, row !== undefined && row.owner !== null);
  io.err(`${printable(run)}   ${statusWords(job)}\n  ${why}\n${next === null ? '' : `  ${next}\n`}`);
  return 0;
}

/** `send` with what a person says as a body. */
function guided(type: 'Resubmit' | 'Reject'): Move {
  return ({ jobs }, run, parsed, actor) => {
    const text = textOption(parsed, 'guidance');
    const sealed = text === undefined ? undefined : jobs.seal(text);
    const command = { type, guidance: sealed?.ref ?? null, phase: textOption(parsed, 'phase') ?? null } as const;
    return jobs.send(run, command, { actor }, sealed ? [sealed.body] : []);
  };
}

const plainly =
  (type: 'Activate' | 'Cancel' | 'Approve' | 'Terminate' | 'Rerun'): Move =>
  ({ jobs }, run, _, actor) =>
    jobs.send(run, { type }, { actor });

const raise: Move = ({ jobs }, run, parsed, actor) => {
  const limits = limitsOf(readLimits(parsed));
  if (Object.keys(limits).length === 0) {
    throw new BatonError('USAGE', 'which limit? Name --max-cost, --max-time or --max-tokens');
  }
  return jobs.send(run, { type: 'Raise', limits }, { actor });
};

const restep: Move = async ({ jobs }, run, parsed, actor) => {
  const { phases } = (await jobs.state(run)).order;
  const step = countOption(parsed, 'step', { min: 1, max: phases.length }) ?? 1;
  return jobs.send(run, { type: 'Restep', phase: phases[step - 1]?.name ?? '' }, { actor });
};

const rollback: Move = async ({ jobs }, run, parsed, actor) => {
  const point = await jobs.point(run, textOption(parsed, 'to') ?? null);
  return jobs.send(run, { type: 'Rollback', point: point.id, older: point, files: filesOption(parsed) }, { actor });
};

const checkpoint: Move = ({ jobs }, run, parsed, actor) => {
  const description = textOption(parsed, 'description') ?? 'by hand';
  return jobs.send(run, { type: 'Checkpoint', description, files: filesOption(parsed) }, { actor });
};

/** Of the workspace, so they are named as evidence is. */
function filesOption({ values: { file } }: Parsed): readonly string[] {
  const files = Array.isArray(file) ? file : [];
  for (const one of files) {
    const denial = refusePath(one, '--file');
    if (denial !== true) throw new BatonError(denial.code, denial.reason, denial.details);
  }
  return files;
}

export const jobMoves = {
  activate: moving(plainly('Activate')),
  cancel: moving(plainly('Cancel')),
  approve: moving(plainly('Approve')),
  terminate: moving(plainly('Terminate')),
  rerun: moving(plainly('Rerun')),
  resubmit: moving(guided('Resubmit')),
  reject: moving(guided('Reject')),
  raise: moving(raise),
  restep: moving(restep),
  rollback: moving(rollback),
  checkpoint: moving(checkpoint),
} satisfies Record<string, BatonCommand>;

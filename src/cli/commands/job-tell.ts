import { BatonError } from '../../contracts/shared/errors.js';
import { JOB_ACTS } from '../../engine/job/job-acts.js';
import { findRun } from '../find-run.js';
import { type BatonCommand, inBaton } from '../opened-baton.js';
import { printable, printableJson } from '../printable.js';

/** Steers an agent that works: it hears it when it is asked next, or at once when it is made to begin anew. */
export const runJobTell: BatonCommand = (parsed, io, open) =>
  inBaton(open, {}, async (baton) => {
    const [id = '', text = ''] = parsed.positionals;
    if (text.trim() === '') throw new BatonError('USAGE', 'what is it to be told? baton job tell ID "TEXT"');
    const { run } = await findRun(baton.store, id, io.cwd);
    const now = parsed.values.now === true;
    const before = (await baton.jobs.state(run)).stage.name;
    await JOB_ACTS.tell(baton.jobs, run, { text, now }, { actor: io.env.USER ?? 'cli' });
    const object = await baton.jobs.show(run);
    if (parsed.values.json) io.out(`${printableJson(object)}\n`);
    else io.err(`${printable(run)} ${heard(before, now)}\n`);
    return 0;
  });

function heard(stage: string, now: boolean): string {
  if (stage !== 'asking' && stage !== 'collecting' && stage !== 'checking') return 'is told when it is asked next.';
  if (now && stage === 'asking') return 'begins this phase anew and is told at once; no try is counted.';
  return 'is told before this phase counts as done. At once instead: --now';
}

import { BatonError } from '../../contracts/shared/errors.js';
import { findRun } from '../find-run.js';
import { atDesk, type DeskCommand } from '../opened-desk.js';
import { printable, printableJson } from '../printable.js';

/** Steers an agent that works: it hears it when it is asked next, or at once when it is made to begin anew. */
export const runJobTell: DeskCommand = (parsed, io, open) =>
  atDesk(open, {}, async (desk) => {
    const [id = '', text = ''] = parsed.positionals;
    if (text.trim() === '') throw new BatonError('USAGE', 'what is it to be told? baton job tell ID "TEXT"');
    const { run } = await findRun(desk.store, id, io.cwd);
    const now = parsed.values.now === true;
    const before = (await desk.jobs.state(run)).stage.name;
    await desk.act(run, 'tell', { text, now }, { actor: io.env.USER ?? 'cli' });
    const object = await desk.jobs.show(run);
    if (parsed.values.json) io.out(`${printableJson(object)}\n`);
    else io.err(`${printable(run)} ${heard(before, now)}\n`);
    return 0;
  });

function heard(stage: string, now: boolean): string {
  if (stage !== 'asking' && stage !== 'collecting' && stage !== 'checking') return 'is told when it is asked next.';
  if (now && stage === 'asking') return 'begins this phase anew and is told at once; no try is counted.';
  return 'is told before this phase counts as done. At once instead: --now';
}

import type { JobObject } from '../../engine/job/job-object.js';
import type { JobOptions } from '../../engine/job/job-options.js';
import type { Baton } from '../../engine/opened-baton.js';
import type { Io } from '../io.js';
import { readJobOptions } from '../job/read-options.js';
import { headerLines } from '../job/run-header.js';
import { toldDefaults } from '../job/told-defaults.js';
import { type BatonCommand, inBaton } from '../opened-baton.js';
import { printable, printableJson } from '../printable.js';
import { watchToRest } from './job-run.js';

/** `baton run`: make a job and see it through. */
export const runRun: BatonCommand = async (parsed, io, open) => {
  const said = await readJobOptions(parsed, io);
  const { detach, json } = parsed.values;
  return inBaton(open, { drives: detach !== true }, async (baton) => {
    const options = { ...(await toldDefaults(baton, said, io)), activate: true };
    if (parsed.values['dry-run']) {
      io.out(`${printableJson(options)}\n`);
      return 0;
    }
    const object = await baton.jobs.create(options, { actor: io.env.USER ?? 'cli' });
    if (!json && io.terminal.err) await tellHead(baton, object, options, io);
    if (!detach) return watchToRest(baton, parsed, io, object.job_id, { after: 0 });
    io.again?.(['job', 'run', object.job_id]);
    if (json) io.out(`${printableJson(object)}\n`);
    else io.err(backgroundLines(object.job_id));
    return 0;
  });
};

async function tellHead(baton: Baton, object: JobObject, options: JobOptions, io: Io): Promise<void> {
  const free = (await baton.agents()).filter(({ sandbox }) => sandbox === 'danger-full-access');
  const guard = { ...(await baton.guard()), freeAgents: free.map(({ id }) => id) };
  for (const line of await headerLines(object, options, io, guard)) io.err(`${printable(line)}\n`);
  io.err('\n');
}

function backgroundLines(id: string): string {
  return `${id} runs in the background.\n  watch: baton job run ${id}      stop: baton job cancel ${id}\n`;
}

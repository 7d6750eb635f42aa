import type { JobObject } from '../../contracts/api/job-shapes.js';
import type { Desk } from '../../engine/desk.js';
import { checkOptions, refuseTaken } from '../../engine/job/check-options.js';
import type { Io } from '../io.js';
import { readJobOptions } from '../job/read-options.js';
import { headerLines } from '../job/run-header.js';
import { toldDefaults } from '../job/told-defaults.js';
import { atDesk, type DeskCommand } from '../opened-desk.js';
import { printable, printableJson } from '../printable.js';
import { watchToRest } from './job-run.js';

/** `baton run`: make a job and see it through. */
export const runRun: DeskCommand = async (parsed, io, open) => {
  const said = await readJobOptions(parsed, io);
  const { detach, json } = parsed.values;
  return atDesk(open, { drives: detach !== true }, async (desk) => {
    const options = { ...(await toldDefaults(desk, said, io)), activate: true };
    if (parsed.values['dry-run']) {
      await checkOptions(desk.store, options);
      await refuseTaken(desk.store, options);
      io.out(`${printableJson(options)}\n`);
      return 0;
    }
    const object = await desk.jobs.create(options, { actor: io.env.USER ?? 'cli' });
    if (!json && io.terminal.err) await tellHead(desk, object, io);
    if (!detach) return watchToRest(desk, parsed, io, object.job_id, { after: 0 });
    if (desk.served === null) io.again?.(['job', 'run', object.job_id]);
    else await desk.engine.drive(object.job_id);
    if (json) io.out(`${printableJson(object)}\n`);
    else io.err(backgroundLines(object.job_id));
    return 0;
  });
};

async function tellHead(desk: Desk, object: JobObject, io: Io): Promise<void> {
  const { order } = await desk.jobs.state(object.job_id);
  const free = (await desk.agents()).filter(({ sandbox }) => sandbox === 'danger-full-access');
  const guard = { ...(await desk.guard()), freeAgents: free.map(({ id }) => id) };
  for (const line of await headerLines(object, order, io, guard)) io.err(`${printable(line)}\n`);
  io.err('\n');
}

function backgroundLines(id: string): string {
  return `${id} runs in the background.\n  watch: baton job run ${id}      stop: baton job cancel ${id}\n`;
}

import { readJobOptions } from '../job/read-options.js';
import { toldDefaults } from '../job/told-defaults.js';
import { atDesk, type DeskCommand } from '../opened-desk.js';
import { printable, printableJson } from '../printable.js';

export const runJobCreate: DeskCommand = async (parsed, io, open) => {
  const said = await readJobOptions(parsed, io);
  return atDesk(open, {}, async (desk) => {
    const options = { ...(await toldDefaults(desk, said, io)), activate: parsed.values.activate === true };
    const object = await desk.jobs.create(options, { actor: io.env.USER ?? 'cli' });
    if (parsed.values.json) io.out(`${printableJson(object)}\n`);
    else {
      const verb = object.status === 'DRAFT' ? 'activate' : 'run';
      io.err(`${printable(object.job_id)}   ${object.status}\n  baton job ${verb} ${printable(object.job_id)}\n`);
    }
    return 0;
  });
};

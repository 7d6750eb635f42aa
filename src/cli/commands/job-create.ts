import { readJobOptions } from '../job/read-options.js';
import { toldDefaults } from '../job/told-defaults.js';
import { type BatonCommand, inBaton } from '../opened-baton.js';
import { printable, printableJson } from '../printable.js';

export const runJobCreate: BatonCommand = async (parsed, io, open) => {
  const said = await readJobOptions(parsed, io);
  return inBaton(open, {}, async (baton) => {
    const options = { ...(await toldDefaults(baton, said, io)), activate: parsed.values.activate === true };
    const object = await baton.jobs.create(options, { actor: io.env.USER ?? 'cli' });
    if (parsed.values.json) io.out(`${printableJson(object)}\n`);
    else {
      const verb = object.status === 'DRAFT' ? 'activate' : 'run';
      io.err(`${printable(object.job_id)}   ${object.status}\n  baton job ${verb} ${printable(object.job_id)}\n`);
    }
    return 0;
  });
};

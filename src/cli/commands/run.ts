import { jobDefaults } from '../job/job-defaults.js';
import { readJobOptions } from '../job/read-options.js';
import { type BatonCommand, inBaton } from '../opened-baton.js';
import { printable, printableJson } from '../printable.js';
import { watchToRest } from './job-run.js';

/** `baton run`: make a job and see it through. */
export const runRun: BatonCommand = async (parsed, io, open) => {
  const said = await readJobOptions(parsed, io);
  return inBaton(open, { drives: parsed.values.detach !== true }, async (baton) => {
    const options = { ...(await jobDefaults(baton, said, io)), activate: true };
    if (parsed.values['dry-run']) {
      io.out(`${printableJson(options)}\n`);
      return 0;
    }
    const object = await baton.jobs.create(options, { actor: io.env.USER ?? 'cli' });
    if (parsed.values.detach) {
      if (parsed.values.json) io.out(`${printableJson(object)}\n`);
      else io.err(`${object.job_id} is ready. Run it: baton job run ${object.job_id}\n`);
      return 0;
    }
    if (!parsed.values.json && io.terminal.err) {
      const who = [`${options.agent} works`, ...(options.supervisor ? [`${options.supervisor} reviews`] : [])];
      io.err(`${printable(object.job_id)}   ${printable(who.join(', '))}\n`);
      if (options.repo !== undefined) io.err(`  branch  ${printable(object.branch ?? '')}\n`);
      io.err('  guard   no sandbox yet: agents and checks run with your rights\n\n');
    }
    return watchToRest(baton, parsed, io, object.job_id);
  });
};

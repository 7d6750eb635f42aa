import { parseArgs } from 'node:util';

const OPTIONS = {
  /** Interleaved rounds per row. */
  rounds: { type: 'string' },
  /** Finished runs in the large store. */
  finished: { type: 'string', default: '100000' },
  /** Jobs of two phases, in all rounds together. */
  jobs: { type: 'string', default: '1000' },
  /** Of the long job. */
  interactions: { type: 'string', default: '10000' },
  /** Also measures other libraries, whose native parts are compiled for it. */
  peers: { type: 'boolean', default: false },
  /** Only the rows whose name contains this. */
  only: { type: 'string', default: '' },
};

/** Every benchmark takes the same options, so that all of them can be run with one command. */
export function readOptions(argv, usualRounds) {
  const { values } = parseArgs({ args: argv, options: OPTIONS });
  const { rounds = usualRounds, finished, jobs, interactions } = values;
  const counts = { rounds: Number(rounds), finished: Number(finished), jobs: Number(jobs) };
  return { ...values, ...counts, interactions: Number(interactions) };
}

/** Runs the sections that were asked for, one after the other. */
export async function runSections(sections, only) {
  const chosen = Object.entries(sections).filter(([name]) => name.includes(only));
  if (chosen.length === 0) throw new Error(`no row is named ${only}; there are: ${Object.keys(sections).join(', ')}`);
  for (const [, section] of chosen) await section();
}

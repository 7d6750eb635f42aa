/** `node tools/faults.mjs [kill|takeover|writers|disk|flips|power …] [--kills N] …`; see docs/guides/faults.md. */
import { parseArgs } from 'node:util';
import { HARNESSES, type HarnessName } from './harnesses.js';
import { closingLine, describeReport, isClean } from './stage/report.js';

const ALL = Object.keys(HARNESSES) as HarnessName[];

/** Returns the exit code. A harness that was named must run; one that was not is left out when something is missing. */
export async function faultsFromCommandLine(args: readonly string[], root: string): Promise<number> {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      kills: { type: 'string' },
      pauses: { type: 'string' },
      commands: { type: 'string' },
      cuts: { type: 'string' },
      steps: { type: 'string' },
      every: { type: 'string' },
      resumes: { type: 'string' },
      seed: { type: 'string' },
      'without-planted': { type: 'boolean', default: false },
      keep: { type: 'boolean', default: false },
      /** The same as the harness of this name. */
      mixed: { type: 'boolean', default: false },
    },
  });
  const unknown = positionals.filter((name) => !Object.hasOwn(HARNESSES, name));
  if (unknown.length > 0) throw new Error(`there is no harness ${unknown.join(', ')}; there are ${ALL.join(', ')}`);
  const named = [...positionals, ...(values.mixed ? ['mixed'] : [])] as HarnessName[];
  const seed = wholeNumber('seed', values.seed) ?? Date.now() % 2 ** 31;
  let exitCode = 0;
  for (const name of named.length > 0 ? named : ALL) {
    const { option, missing, run, planted } = HARNESSES[name];
    const lacks = missing();
    if (lacks !== undefined) {
      console.log(`${name}: not run, ${lacks}`);
      if (named.includes(name)) exitCode = 1;
      continue;
    }
    const times = wholeNumber(option, values[option]);
    const tell = (line: string) => console.error(`${name}: ${line}`);
    const report = await run(root, { seed, keep: values.keep, tell, ...(times !== undefined && { times }) });
    const bugs = values['without-planted'] ? [] : await planted(root);
    for (const line of describeReport(report)) console.log(line);
    for (const bug of bugs) console.log(`  planted: ${bug.name}: ${bug.caught ?? 'NOT CAUGHT'}`);
    console.log(closingLine(report, bugs));
    if (!isClean(report) || bugs.some(({ caught }) => caught === undefined)) exitCode = 1;
  }
  return exitCode;
}

function wholeNumber(name: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const number = Number(text);
  if (!Number.isSafeInteger(number) || number < 0) throw new Error(`--${name} takes a whole number, not ${text}`);
  return number;
}

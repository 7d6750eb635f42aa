/** `node tools/fuzz.mjs [--shell] [--inputs N] [--seed N] [--from N]` */

import { parseArgs } from 'node:util';
import { createShellReader } from '../../src/sandbox/shell/create-shell-reader.js';
import { loadCorpus } from './corpus.js';
import { describeReport } from './describe-report.js';
import { fuzz } from './fuzz.js';
import { plainJudges } from './plain-ajv.js';
import { batonShell, fuzzShell } from './shell/shell-fuzz.js';
import { wholeNumber } from './whole-number.js';

const INPUTS_DEFAULT = 1_000_000;

/** Returns the exit code. Without a seed a fresh one is taken, and printed, so that every run tries something new. */
export async function fuzzFromCommandLine(args: readonly string[], root: URL): Promise<number> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      shell: { type: 'boolean' },
      inputs: { type: 'string' },
      seed: { type: 'string' },
      from: { type: 'string' },
    },
  });
  const inputs = wholeNumber('inputs', values.inputs, INPUTS_DEFAULT);
  const seed = wholeNumber('seed', values.seed, Date.now() % 2 ** 31);
  const from = wholeNumber('from', values.from, 0);
  if (values.shell) return fuzzShellLines({ seed, inputs, from });
  const corpus = loadCorpus(root);
  const report = fuzz({ corpus, plain: plainJudges(corpus.schemas), seed, inputs, from });
  console.log(describeReport(report));
  return report.failure ? 1 : 0;
}

async function fuzzShellLines(options: { seed: number; inputs: number; from: number }): Promise<number> {
  const report = fuzzShell(batonShell(await createShellReader()), options);
  console.log(JSON.stringify(report, null, 2));
  return report.failure ? 1 : 0;
}

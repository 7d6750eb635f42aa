/** `node tools/fuzz.mjs [--inputs N] [--seed N] [--from N]` */

import { parseArgs } from 'node:util';
import { loadCorpus } from './corpus.js';
import { describeReport } from './describe-report.js';
import { fuzz } from './fuzz.js';
import { plainJudges } from './plain-ajv.js';

const INPUTS_DEFAULT = 1_000_000;

/** Returns the exit code. Without a seed a fresh one is taken, and printed, so that every run tries something new. */
export function fuzzFromCommandLine(args: readonly string[], root: URL): number {
  const { values } = parseArgs({
    args: [...args],
    options: { inputs: { type: 'string' }, seed: { type: 'string' }, from: { type: 'string' } },
  });
  const inputs = wholeNumber('inputs', values.inputs, INPUTS_DEFAULT);
  const seed = wholeNumber('seed', values.seed, Date.now() % 2 ** 31);
  const from = wholeNumber('from', values.from, 0);
  const corpus = loadCorpus(root);
  const report = fuzz({ corpus, plain: plainJudges(corpus.schemas), seed, inputs, from });
  console.log(describeReport(report));
  return report.failure ? 1 : 0;
}

function wholeNumber(name: string, text: string | undefined, otherwise: number): number {
  if (text === undefined) return otherwise;
  const number = Number(text);
  if (!Number.isSafeInteger(number) || number < 0) throw new Error(`--${name} takes a whole number, not ${text}`);
  return number;
}

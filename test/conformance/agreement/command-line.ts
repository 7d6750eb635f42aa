/** `node tools/agree.mjs [--packets N] [--seed N] [--from N]` */

import { parseArgs } from 'node:util';
import { wholeNumber } from '../../fuzz/whole-number.js';
import { agree } from './agree.js';
import { describeAgreement } from './describe-agreement.js';

const PACKETS_DEFAULT = 100_000;

/** Returns the exit code. Without a seed a fresh one is taken, and printed, so that every run tries something new. */
export function agreeFromCommandLine(args: readonly string[]): number {
  const { values } = parseArgs({
    args: [...args],
    options: { packets: { type: 'string' }, seed: { type: 'string' }, from: { type: 'string' } },
  });
  const report = agree({
    packets: wholeNumber('packets', values.packets, PACKETS_DEFAULT),
    seed: wholeNumber('seed', values.seed, Date.now() % 2 ** 31),
    from: wholeNumber('from', values.from, 0),
  });
  console.log(describeAgreement(report));
  return report.disagreements.length === 0 ? 0 : 1;
}

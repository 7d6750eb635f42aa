import { firstProblem, type Planted } from '../stage/report.js';
import { flipHarness } from './bit-flips.js';
import { systemCallHarness } from './system-calls.js';

const CALLS_EVERY = 40;
const BYTES_EVERY = 97;

export async function callsPlanted(root: string): Promise<Planted[]> {
  const report = await systemCallHarness({ root, every: CALLS_EVERY, planted: 'swallows-failures' });
  return [{ name: 'answers a failed append as if it were written', caught: firstProblem(report) }];
}

export async function flipsPlanted(): Promise<Planted[]> {
  const report = await flipHarness({ seed: 7, every: BYTES_EVERY, verify: async () => ({ ok: true }) });
  return [{ name: 'a verification that looks at nothing', caught: firstProblem(report) }];
}

import type { SourceBug } from '../stage/build-plugins.js';
import { firstProblem, type Planted } from '../stage/report.js';
import { powerHarness } from './power-cut.js';

const NO_SYNC: SourceBug = {
  name: 'commits without a sync',
  changes: [
    {
      file: 'src/store/sqlite/pragmas.ts',
      from: "{ name: 'synchronous', set: 'FULL', is: 2 }",
      to: "{ name: 'synchronous', set: 'OFF', is: 0 }",
    },
  ],
};

export async function powerPlanted(root: string): Promise<Planted[]> {
  const report = await powerHarness({ root, cuts: 3, seed: 7, sourceBug: NO_SYNC });
  return [{ name: NO_SYNC.name, caught: firstProblem(report) }];
}

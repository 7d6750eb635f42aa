import type { SourceBug } from '../stage/build-plugins.js';
import { firstProblem, type Planted } from '../stage/report.js';
import { takeoverHarness } from './takeover-harness.js';

/** Both guards of the epoch: the one that answers `fenced`, and the one in the update. */
const NO_FENCE: SourceBug = {
  name: 'no fence',
  changes: [
    { file: 'src/store/sqlite/append-group.ts', from: 'fence !== undefined && fence !== epoch', to: 'epoch < 0' },
    { file: 'src/store/sqlite/run-writer.ts', from: '(? IS NULL OR epoch = ?)', to: '(? IS NULL OR ? IS NOT NULL)' },
  ],
};
const PAUSES = 8;

export async function takeoverPlanted(root: string): Promise<Planted[]> {
  const report = await takeoverHarness({ root, pauses: PAUSES, seed: 7, sourceBug: NO_FENCE });
  return [{ name: NO_FENCE.name, caught: firstProblem(report) }];
}

import type { SourceBug } from '../stage/build-plugins.js';
import type { Planted } from '../stage/report.js';
import { agentsHarness } from './agents-harness.js';

const BUG: SourceBug = {
  name: 'forgets what killed turns used',
  changes: [
    {
      file: 'src/agents/create-agents.ts',
      from: 'spentOf({ run, handoff: key, attempt })',
      to: '(spentOf({ run, handoff: key, attempt }), NO_USAGE)',
    },
  ],
};

export async function agentsPlanted(root: string, kills = 2): Promise<Planted[]> {
  const { problems } = await agentsHarness({ root, kills, seed: 7, bug: BUG, afterAnswer: true });
  return [{ name: BUG.name, caught: problems.find((problem) => problem.includes('tokens')) }];
}

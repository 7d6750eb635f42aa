import type { SourceBug } from '../stage/build-plugins.js';
import type { Planted } from '../stage/report.js';
import { approvalsHarness } from './approvals-harness.js';

const BUG: SourceBug = {
  name: 'a yes is still good after a loss',
  changes: [
    {
      file: 'src/core/job/job-evolve.ts',
      from: 'const now: LiveJob = { ...job, threads, verdict: null,',
      to: "const now: LiveJob = { ...job, threads, verdict: cause === 'lost' ? job.verdict : null,",
    },
  ],
};

export async function approvalsPlanted(root: string, kills = 2): Promise<Planted[]> {
  const { twice } = await approvalsHarness({ root, kills, seed: 3, bug: BUG, moments: ['running'] });
  return [{ name: BUG.name, caught: twice[0] }];
}

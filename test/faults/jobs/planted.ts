import type { SourceBug } from '../stage/build-plugins.js';
import type { Planted } from '../stage/report.js';
import { jobsHarness } from './jobs-harness.js';

export const JOB_BUGS: readonly SourceBug[] = [
  {
    name: 'leaves the agents of a dead runner',
    changes: [
      {
        file: 'src/agents/create-agents.ts',
        from: 'const { remaining } = await endLeftovers(gate, run, key, limits);',
        to: 'const remaining: { pid: number; name: string }[] = []; void endLeftovers;',
      },
    ],
  },
  {
    name: 'asks again without recording the loss',
    changes: [
      {
        file: 'src/engine/record-lost.ts',
        from: 'let outcome = await send(thread === undefined ? lost : { ...lost, thread });',
        to: "let outcome: { type: string } = { type: 'accepted' }; void thread;",
      },
    ],
  },
];

/** Both must show in what agents did, not in something else that went wrong. */
export async function jobsPlanted(root: string, bugs = JOB_BUGS, kills = 6): Promise<Planted[]> {
  const planted: Planted[] = [];
  for (const bug of bugs) {
    const report = await jobsHarness({ root, kills, seed: 7, bug });
    planted.push({ name: bug.name, caught: report.twice[0] });
  }
  return planted;
}

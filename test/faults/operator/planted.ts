import type { SourceBug } from '../stage/build-plugins.js';
import type { Planted } from '../stage/report.js';
import { operatorHarness } from './operator-harness.js';

type OperatorBug = SourceBug & { shows: RegExp };

export const OPERATOR_BUGS: readonly OperatorBug[] = [
  {
    name: 'forgets a lock while its task is at work',
    shows: /began while|began beside/,
    changes: [{ file: 'src/core/ledger/dispatch-queue.ts', from: '    this.busy.take(task, wanted);\n', to: '' }],
  },
  {
    name: 'counts a task as done before it is merged',
    shows: /has no commit|which it depends on/,
    changes: [{ file: 'src/core/ledger/ledger-decide.ts', from: 'if (work) return { events: [taken] };', to: '' }],
  },
];

/** What stands still because of the bug need not be waited for. */
const STANDSTILL_MS = 8_000;

/** Each must show in what it does, not in something else that went wrong. */
export async function operatorPlanted(root: string, bugs = OPERATOR_BUGS): Promise<Planted[]> {
  const planted: Planted[] = [];
  for (const bug of bugs) {
    const { lost, twice, problems } = await operatorHarness({
      root,
      kills: 3,
      tasks: 30,
      seed: 7,
      bug,
      standstillMs: STANDSTILL_MS,
    });
    planted.push({ name: bug.name, caught: [...lost, ...twice, ...problems].find((one) => bug.shows.test(one)) });
  }
  return planted;
}

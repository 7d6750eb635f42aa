import type { JobMoment } from '../jobs/job-moment.js';
import type { SourceBug } from '../stage/build-plugins.js';
import type { Planted } from '../stage/report.js';
import { envelopesHarness } from './envelopes-harness.js';
import { type Undisturbed, undisturbed } from './undisturbed.js';

type EnvelopeBug = SourceBug & { shows: RegExp; only?: { script: string; moment: JobMoment } };

export const ENVELOPE_BUGS: readonly EnvelopeBug[] = [
  {
    name: 'begins with the first stage whenever it is resumed',
    shows: /perception is recorded \d+ times/,
    changes: [
      {
        file: 'src/core/envelope/envelope-evolve.ts',
        from: 'phase: againMs > atMs ?',
        to: "...(cause === 'lost' && { stage: 'perception' }), phase: againMs > atMs ?",
      },
    ],
  },
  {
    name: 'counts an LLM call for an ask that was lost',
    shows: /llm_call_count is/,
    changes: [
      {
        file: 'src/core/envelope/envelope-evolve.ts',
        from: 'const llmCalls = run.llmCalls + (answer === null ? 0 : 1);',
        to: 'const llmCalls = run.llmCalls + 1;',
      },
    ],
  },
  {
    name: 'takes a yes for still good after tools were cut off',
    shows: /ran \d+ times, and \d+ times? somebody agreed/,
    only: { script: 'risky', moment: 'in a deed' },
    changes: [
      {
        file: 'src/tools/tools-deed.ts',
        from: 'confirmed: facts.wasLost ? null : facts.progress.confirmed',
        to: 'confirmed: facts.progress.confirmed',
      },
    ],
  },
];

/** Each must show in what it does, not in something else that went wrong. */
export async function envelopesPlanted(
  root: string,
  bugs = ENVELOPE_BUGS,
  { known, kills = 6 }: { known?: Undisturbed; kills?: number } = {},
): Promise<Planted[]> {
  const planted: Planted[] = [];
  const expected = known ?? (await undisturbed({ root, keep: false }));
  for (const bug of bugs) {
    const { only } = bug;
    const how = { root, kills: only ? 10 : kills, seed: 7, bug, expected, ...(only && { only }) };
    const { lost, twice, problems } = await envelopesHarness(how);
    planted.push({ name: bug.name, caught: [...lost, ...twice, ...problems].find((one) => bug.shows.test(one)) });
  }
  return planted;
}

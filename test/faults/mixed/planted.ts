import type { Undisturbed } from '../envelopes/undisturbed.js';
import type { SourceBug } from '../stage/build-plugins.js';
import { firstProblem, type Planted } from '../stage/report.js';
import { mixedHarness } from './mixed-harness.js';

const BUG: SourceBug = {
  name: 'a server that forgets keys',
  changes: [
    {
      file: 'src/server/create-app.ts',
      from: ', key, payload } };',
      to: ', key: baton.ids.uuid(), payload } };',
    },
  ],
};
const SHOWS = /was made \d+ times under one key/;

/** `expected`: what envelopes come to undisturbed, where that is known. */
export async function mixedPlanted(root: string, expected?: Undisturbed, kills = 4): Promise<Planted[]> {
  const report = await mixedHarness({ root, kills, seed: 5, bug: BUG, ...(expected && { expected }) });
  const caught = report.twice.find((one) => SHOWS.test(one));
  if (caught === undefined) console.log(`  ${BUG.name}: ${firstProblem(report) ?? 'nothing'} was found instead`);
  return [{ name: BUG.name, caught }];
}

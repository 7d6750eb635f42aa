import { firstProblem, type Planted } from '../stage/report.js';
import { writersHarness } from './writers-harness.js';

const COMMANDS = 300;

export async function writersPlanted(root: string): Promise<Planted[]> {
  const report = await writersHarness({ root, commands: COMMANDS, planted: 'drops-some' });
  return [{ name: 'drops one append in a hundred', caught: firstProblem(report) }];
}

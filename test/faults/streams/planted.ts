import { firstProblem, type Planted } from '../stage/report.js';
import { type ListenerBug, streamsHarness } from './streams-harness.js';

const BUGS: readonly { name: string; planted: ListenerBug }[] = [
  { name: 'comes back one too early', planted: 'forgets-the-last' },
  { name: 'comes back one too late', planted: 'skips-one' },
];

export async function streamsPlanted(root: string): Promise<Planted[]> {
  const found: Planted[] = [];
  for (const { name, planted } of BUGS) {
    const report = await streamsHarness({ root, resumes: 2, seed: 7, planted }).catch((problem) => String(problem));
    found.push({ name, caught: typeof report === 'string' ? report : firstProblem(report) });
  }
  return found;
}

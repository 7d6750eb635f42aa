import type { PlantedBug } from '../programs/planted-bugs.js';
import { firstProblem, type Planted } from '../stage/report.js';
import { killHarness } from './kill-harness.js';

type Plan = { name: string; worker?: PlantedBug; client?: PlantedBug; kills: number; clientShare: number };

/** Each with the kills it takes to show: a client that acknowledges early must die early. */
const PLANS: readonly Plan[] = [
  { name: 'acknowledges before the append', client: 'acknowledges-early', kills: 10, clientShare: 1 },
  { name: 'forgets keys', client: 'forgets-keys', kills: 4, clientShare: 1 },
  { name: 'leaves the agents of a dead worker', worker: 'leaves-agents', kills: 8, clientShare: 0 },
];

export async function killPlanted(root: string): Promise<Planted[]> {
  const planted: Planted[] = [];
  for (const { name, kills, clientShare, ...bugs } of PLANS) {
    const report = await killHarness({ root, kills, seed: 7, clientShare, planted: bugs });
    planted.push({ name, caught: firstProblem(report) });
  }
  return planted;
}

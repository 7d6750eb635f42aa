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

/** When a kill comes depends on how busy the machine is: what shows at no seed of these is not caught. */
const SEEDS = [7, 8, 9];

async function firstCaught(look: (seed: number) => Promise<string | undefined>): Promise<string | undefined> {
  for (const seed of SEEDS) {
    const caught = await look(seed);
    if (caught !== undefined) return caught;
  }
  return undefined;
}

export async function killPlanted(root: string): Promise<Planted[]> {
  const planted: Planted[] = [];
  for (const { name, kills, clientShare, ...bugs } of PLANS) {
    const play = (seed: number) => killHarness({ root, kills, seed, clientShare, planted: bugs });
    planted.push({ name, caught: await firstCaught(async (seed) => firstProblem(await play(seed))) });
  }
  return planted;
}

import type { Baton } from '../engine/opened-baton.js';
import { readConfig } from './config-file.js';
import { usualAgent } from './job-defaults.js';

type Around = Pick<Baton, 'folder' | 'agents' | 'readyAgents' | 'knowsAgent'>;

/** Who answers stages when nobody is named: stages need no hands, so a model comes before an agent that has some. */
export async function stageAgent(baton: Around): Promise<string | null> {
  const { agent } = await readConfig(baton.folder);
  if (agent !== undefined) return agent;
  const models = (await baton.agents()).filter(({ adapter }) => adapter === 'model');
  return (models.length === 1 ? models[0]?.id : await usualAgent(baton)) ?? null;
}

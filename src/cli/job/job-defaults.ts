import { existsSync } from 'node:fs';
import path from 'node:path';
import { BatonError } from '../../contracts/shared/errors.js';
import { type JobOptions, SAFE_LIMITS } from '../../engine/job/job-options.js';
import { readConfig } from '../config/config-file.js';
import type { Io } from '../io.js';
import type { Baton } from '../opened-baton.js';

/** Flags over the configuration of this user, over what is safe. */
export async function jobDefaults(baton: Baton, said: JobOptions, io: Io): Promise<JobOptions> {
  const config = await readConfig(baton.folder);
  const agent = said.agent ?? config.agent ?? (await onlyAgent(baton));
  if (agent === undefined && !said.phases) {
    throw new BatonError('AGENT_NOT_FOUND', 'no agent was named, and there is not exactly one registered');
  }
  const supervisor = said.supervisor ?? config.supervisor;
  const repo = said.repo ?? repositoryOf(io.cwd);
  return {
    ...(config.verify && { verify: config.verify }),
    ...(config.timeout_seconds && { timeout_seconds: config.timeout_seconds }),
    ...(config.fallback && { fallback: config.fallback }),
    ...said,
    ...(agent !== undefined && { agent }),
    ...(supervisor !== undefined && { supervisor }),
    ...(repo !== undefined && { repo }),
    limits: { ...SAFE_LIMITS, ...config.limits, ...said.limits },
  };
}

/** Who else could be meant. */
async function onlyAgent(baton: Baton): Promise<string | undefined> {
  const agents = await baton.agents();
  return agents.length === 1 ? agents[0]?.id : undefined;
}

function repositoryOf(cwd: string): string | undefined {
  for (let folder = cwd; ; folder = path.dirname(folder)) {
    if (existsSync(path.join(folder, '.git'))) return folder;
    if (folder === path.dirname(folder)) return undefined;
  }
}

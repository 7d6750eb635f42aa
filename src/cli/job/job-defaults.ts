import type { ProjectFile } from '../../contracts/generated/types/project.js';
import { BatonError } from '../../contracts/shared/errors.js';
import { type JobOptions, SAFE_LIMITS } from '../../engine/job/job-options.js';
import { readConfig } from '../config/config-file.js';
import { nearest } from '../edit-distance.js';
import type { Io } from '../io.js';
import { mark } from '../mark.js';
import type { Baton } from '../opened-baton.js';
import { printable } from '../printable.js';
import { type Project, readProject } from './project-file.js';
import { repositoryOf } from './repository-of.js';
import { splitWords } from './split-words.js';

/** Flags over the project file, over the configuration of this user, over what is safe. */
export async function jobDefaults(baton: Baton, said: JobOptions, io: Io): Promise<JobOptions> {
  const config = await readConfig(baton.folder);
  const repo = said.repo ?? repositoryOf(io.cwd);
  const project = repo === undefined ? undefined : await trustedProject(baton.folder, repo, io);
  const { settings = {} } = project ?? {};
  const agent = said.agent ?? settings.agent ?? config.agent ?? (await usualAgent(baton));
  if (agent === undefined && !said.phases) {
    const reason = 'no agent was named, there is not exactly one registered, and neither claude nor codex is ready';
    throw new BatonError('AGENT_NOT_FOUND', reason);
  }
  const given = said.supervisor ?? settings.supervisor ?? config.supervisor;
  const supervisor = given ?? (said.workflow === 'worker' ? undefined : await otherVendor(baton, agent));
  const named = said.phases ? said.phases.map((phase) => phase.agent) : [agent, supervisor];
  await refuseUnknown(baton, [...named, said.fallback]);
  return {
    ...(config.verify && { verify: config.verify }),
    ...(config.timeout_seconds && { timeout_seconds: config.timeout_seconds }),
    ...(config.on_limit && { on_limit: config.on_limit }),
    ...(config.on_limit === 'fallback' && config.fallback && { fallback: config.fallback }),
    ...projectOptions(settings),
    ...said,
    ...(agent !== undefined && { agent }),
    ...(supervisor !== undefined && { supervisor }),
    ...(repo !== undefined && { repo }),
    ...(project && { project_file: project.hash }),
    limits: { ...SAFE_LIMITS, ...config.limits, ...settings.limits, ...said.limits },
  };
}

/** A file nobody agreed to is not used, and that is said. */
async function trustedProject(home: string, repo: string, io: Io): Promise<Project | undefined> {
  const found = await readProject(home, repo);
  if (!found || found.trusted) return found;
  io.err(
    `${mark(io, 'note')} ${printable(found.file)} is not used: nobody agreed to it yet. Look at it, then: baton trust\n`,
  );
  return undefined;
}

function projectOptions({ setup, checks, protect, env, network }: ProjectFile): Partial<JobOptions> {
  return {
    ...(setup !== undefined && { setup: words(setup, 'setup') }),
    ...(checks && { checks: checks.map((one) => words(one, 'check')) }),
    ...(protect && { protect }),
    ...(env && { env }),
    ...(network && { network }),
  };
}

function words(command: string | readonly string[], option: string): readonly string[] {
  return typeof command === 'string' ? splitWords(command, option) : command;
}

/** A name that nobody has is most likely mistyped, and would only be found out after the workspace was made. */
async function refuseUnknown(baton: Baton, named: readonly (string | undefined)[]): Promise<void> {
  for (const agent of named) {
    if (agent === undefined || agent === 'none' || (await baton.knowsAgent(agent))) continue;
    const known = (await baton.agents()).map(({ id }) => id);
    const suggestion = nearest(agent, known);
    const meant = suggestion === undefined ? '' : ` (did you mean ${suggestion}?)`;
    throw new BatonError('AGENT_NOT_FOUND', `there is no agent ${JSON.stringify(agent)}${meant}`, { agent, known });
  }
}

/** Who else could be meant. */
async function usualAgent(baton: Baton): Promise<string | undefined> {
  const agents = await baton.agents();
  if (agents.length > 0) return agents.length === 1 ? agents[0]?.id : undefined;
  return (await baton.readyAgents())[0]?.id;
}

/** The work of a known agent is reviewed by that of another vendor, when there is one. */
async function otherVendor(baton: Baton, agent: string | undefined): Promise<string | undefined> {
  const ready = await baton.readyAgents();
  return ready.some(({ id }) => id === agent) ? ready.find(({ id }) => id !== agent)?.id : undefined;
}

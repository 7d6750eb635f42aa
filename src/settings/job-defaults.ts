import { statSync } from 'node:fs';
import type { ProjectFile } from '../contracts/generated/types/project.js';
import { BatonError } from '../contracts/shared/errors.js';
import { nearest } from '../core/kernel/edit-distance.js';
import { type JobOptions, SAFE_LIMITS } from '../engine/job/job-options.js';
import type { Baton } from '../engine/opened-baton.js';
import { readConfig } from './config-file.js';
import { readProject } from './project-file.js';
import { repositoryOf } from './repository-of.js';
import { splitWords } from './split-words.js';

type Around = Pick<Baton, 'folder' | 'agents' | 'readyAgents' | 'knowsAgent'>;

/** What was said over the project file, over the configuration of this user, over what is safe. */
export async function jobDefaults(
  baton: Around,
  said: JobOptions,
  cwd: string | null,
): Promise<{ options: JobOptions; untrusted: string | null }> {
  if (said.repo !== undefined) refuseNoFolder(said.repo);
  const config = await readConfig(baton.folder);
  const repo = said.repo ?? (cwd === null ? undefined : repositoryOf(cwd));
  const found = repo === undefined ? undefined : await readProject(baton.folder, repo);
  const project = found?.trusted ? found : undefined;
  const { settings = {} } = project ?? {};
  const agent = said.agent ?? settings.agent ?? config.agent ?? (await usualAgent(baton));
  if (agent === undefined && !said.phases) {
    throw new BatonError('AGENT_NOT_FOUND', await whyNobody(baton));
  }
  const given = said.supervisor ?? settings.supervisor ?? config.supervisor;
  const supervisor = given ?? (said.workflow === 'worker' ? undefined : await otherVendor(baton, agent));
  const named = said.phases ? said.phases.map((phase) => phase.agent) : [agent, supervisor];
  await refuseUnknown(baton, [...named, said.fallback]);
  const options = {
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
  return { options, untrusted: found && !project ? found.file : null };
}

/** Found out now: nobody is asked to work where nothing is. */
function refuseNoFolder(folder: string): void {
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return;
  const hint = 'Name the folder of a git repository with --repo.';
  throw new BatonError('INPUT_UNREADABLE', `there is no folder ${folder}`, { file: folder }, hint);
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
async function refuseUnknown(baton: Around, named: readonly (string | undefined)[]): Promise<void> {
  for (const agent of named) {
    if (agent === undefined || agent === 'none' || (await baton.knowsAgent(agent))) continue;
    const known = (await baton.agents()).map(({ id }) => id);
    const suggestion = nearest(agent, known);
    const meant = suggestion === undefined ? '' : ` (did you mean ${suggestion}?)`;
    throw new BatonError('AGENT_NOT_FOUND', `there is no agent ${JSON.stringify(agent)}${meant}`, { agent, known });
  }
}

/** A known one that is ready, whoever else is registered; else the only one that is registered. */
export async function usualAgent(baton: Around): Promise<string | undefined> {
  const [known] = await baton.readyAgents();
  if (known) return known.id;
  const agents = await baton.agents();
  return agents.length === 1 ? agents[0]?.id : undefined;
}

const NAMES_SHOWN_MAX = 5;

async function whyNobody(baton: Around): Promise<string> {
  const ids = (await baton.agents()).map(({ id }) => id);
  const shown = ids.slice(0, NAMES_SHOWN_MAX).join(', ') + (ids.length > NAMES_SHOWN_MAX ? ', …' : '');
  const registered = ids.length === 0 ? 'none is registered' : `${ids.length} are registered: ${shown}`;
  return `no agent was named, neither claude nor codex is ready, and ${registered}`;
}

/** The work of a known agent is reviewed by that of another vendor, when there is one. */
async function otherVendor(baton: Around, agent: string | undefined): Promise<string | undefined> {
  const ready = await baton.readyAgents();
  return ready.some(({ id }) => id === agent) ? ready.find(({ id }) => id !== agent)?.id : undefined;
}

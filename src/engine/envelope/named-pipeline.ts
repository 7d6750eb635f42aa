import type { Envelope } from '../../contracts/generated/types/envelope.js';
import type { Pipeline } from '../../contracts/generated/types/pipeline.js';
import { BatonError } from '../../contracts/shared/errors.js';

/** Where pipelines are found by their names. */
export type Pipelines = {
  /** Checked; throws when there is none. */
  named(pipeline: string | Pipeline): Promise<Pipeline>;
  names(): Promise<readonly string[]>;
};

/** What an envelope says about its pipeline is never an instruction; where it says another one, somebody is mistaken. */
export async function refuseOtherPipeline(pipelines: Pipelines, envelope: Envelope, { name }: Pipeline): Promise<void> {
  const said = envelope.pipeline;
  if (said === undefined || said === null || said === name) return;
  const known = await pipelines.names();
  if (typeof said === 'string' && !known.includes(said)) {
    throw new BatonError('PIPELINE_NOT_FOUND', `there is no pipeline ${JSON.stringify(said)}`, {
      path: '/pipeline',
      known,
    });
  }
  const reason = `/pipeline does not choose the pipeline: this envelope goes through ${name}`;
  throw new BatonError('ENVELOPE_MISMATCH', reason, { path: '/pipeline', pipeline: name });
}

export function hasUnbound({ stages }: Pipeline): boolean {
  return stages.some(({ agent, tools }) => agent === undefined && !tools);
}

type Who = { knowsAgent(id: string): Promise<boolean>; isPerson(id: string): Promise<boolean> };

/** Before anything begins: every stage of an agent has one that can be asked. */
export async function checkAnswerers(who: Who, { stages, name }: Pipeline, agent: string | null): Promise<void> {
  const asked = stages.filter(({ tools }) => !tools);
  const unbound = asked.filter((stage) => stage.agent === undefined).map((stage) => stage.name);
  if (agent === null && unbound.length > 0) {
    const reason = `nobody answers ${unbound.join(', ')} of pipeline ${name}: name an agent with --agent (?agent= over HTTP)`;
    throw new BatonError('AGENT_NOT_FOUND', reason, { stages: unbound });
  }
  const agents = new Set(asked.map((stage) => stage.agent ?? (agent as string)));
  for (const one of agents) {
    if (!(await who.knowsAgent(one)))
      throw new BatonError('AGENT_NOT_FOUND', `there is no agent ${one}`, { agent: one });
    if (!(await who.isPerson(one))) continue;
    const reason = `${one} is a person: stages are answered by agents, people answer what an envelope asks for`;
    throw new BatonError('USAGE', reason, { agent: one });
  }
}

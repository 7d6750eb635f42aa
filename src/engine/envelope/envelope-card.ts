import type { EnvelopeBound, EnvelopeCard } from '../../contracts/api/envelope-shapes.js';
import type { Envelope } from '../../contracts/generated/types/envelope.js';
import type { Pipeline } from '../../contracts/generated/types/pipeline.js';
import { countersOf } from '../../core/envelope/bounds.js';
import type { LiveEnvelope } from '../../core/envelope/envelope-state.js';
import type { RunRow } from '../ports.js';

/** What ends an envelope when it is used up, in the order of the contract. */
export function boundsOf(envelope: Envelope, { max_critic_fires }: Pipeline, fires: number): EnvelopeBound[] {
  const { iteration, max_iterations, llm_call_count, max_llm_calls, agent_hop_count, max_agent_hops } =
    countersOf(envelope);
  return [
    { name: 'iterations', used: iteration, max: max_iterations },
    { name: 'llm_calls', used: llm_call_count, max: max_llm_calls },
    { name: 'agent_hops', used: agent_hop_count, max: max_agent_hops },
    ...(max_critic_fires === undefined ? [] : [{ name: 'critic_fires' as const, used: fires, max: max_critic_fires }]),
  ];
}

export function envelopeCard(row: RunRow, live: LiveEnvelope, envelope: Envelope, pipeline: Pipeline): EnvelopeCard {
  const { progress } = live.now;
  return {
    ...{ run_id: row.run, version: row.version, pipeline: live.order.pipeline.name },
    stages: pipeline.stages.map(({ name }) => name),
    lit: litIn(live),
    left: live.now.standing.ended ? progress.due : [],
    goals: goalsIn(envelope),
    bounds: boundsOf(envelope, pipeline, progress.fires),
  };
}

function litIn({ wave, asked, now }: LiveEnvelope): readonly string[] {
  if (wave) return wave.stages.map(({ stage }) => stage);
  if (now.standing.ended) return [];
  return asked && now.progress.asked ? [now.progress.asked.from] : now.progress.due;
}

function goalsIn({ all_goals = [], goal_completion_status = {} }: Envelope): EnvelopeCard['goals'] {
  const satisfied = all_goals.filter((goal) => goal_completion_status[goal] === 'satisfied');
  return { satisfied: satisfied.length, of: all_goals.length };
}

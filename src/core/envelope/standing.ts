import type { Envelope } from '../../contracts/generated/types/envelope.js';
import type { Pipeline, PipelineStage } from '../../contracts/generated/types/pipeline.js';
import type { BodyRef } from '../kernel/effect.js';

export type TerminalReason = NonNullable<Envelope['terminal_reason']>;
/** Who answers a stage: an agent, or Baton's own tools. */
export type Answerer = { agent: string } | { tools: readonly string[] };
export type DueStage = { stage: string; by: Answerer };

/** What the document does not say: which stages are due, which wait for others, and what was agreed to. */
export type Progress = {
  /** In the order of the pipeline. */
  due: readonly string[];
  /** Led to, while stages they come after have not run. */
  waiting: readonly string[];
  /** Since the last time it went back behind them. */
  ran: readonly string[];
  /** How often the critic has sent the work back since it last let a stage go. */
  fires: number;
  /** What it waits for: who asked, and for which steps. */
  asked: { stage: string; steps: string | null } | null;
  /** The steps that a person has agreed to, by their hash. */
  confirmed: string | null;
};

export type Interrupt = 'clarification' | 'confirmation';

/** All that is decided on. Made from the document and the progress by whoever has both at hand. */
export type Standing = {
  /** Empty when it waits or has ended. */
  due: readonly DueStage[];
  hopsLeft: number;
  callsLeft: number;
  waits: { kind: Interrupt; question: string; id: string | null } | null;
  ended: TerminalReason | 'ended' | null;
  /** Why, in words. */
  sentence: string | null;
  title: string;
  /** Figures for people. */
  figures: { iteration: number; calls: number; hops: number; stageNumber: number; goalsLeft: number; goals: number };
};

/** A new version of the document, with what follows from it. */
export type Moved = { document: BodyRef; hash: string; standing: Standing; progress: Progress };

const TITLE_LENGTH_MAX = 80;
const QUESTION_LENGTH_MAX = 2_000;
const NOBODY = '';

export function standingOf(envelope: Envelope, progress: Progress, pipeline: Pipeline, agent: string | null): Standing {
  const waits = waitsOf(envelope);
  const ended = envelope.terminated ? (envelope.terminal_reason ?? 'ended') : null;
  const rests = waits !== null || ended !== null;
  const { iteration = 0, llm_call_count = 0, agent_hop_count = 0, current_stage_number = 1 } = envelope;
  const { max_llm_calls = 0, max_agent_hops = 0, all_goals = [], remaining_goals = [] } = envelope;
  return {
    due: rests ? [] : progress.due.map((stage) => ({ stage, by: answererOf(stageIn(pipeline, stage), agent) })),
    hopsLeft: Math.max(0, max_agent_hops - agent_hop_count),
    callsLeft: Math.max(0, max_llm_calls - llm_call_count),
    ...{ waits, ended, sentence: envelope.termination_reason?.slice(0, QUESTION_LENGTH_MAX) ?? null },
    title: envelope.raw_input.trim().split('\n', 1)[0]?.slice(0, TITLE_LENGTH_MAX) || envelope.envelope_id,
    figures: {
      ...{ iteration, calls: llm_call_count, hops: agent_hop_count, stageNumber: current_stage_number },
      ...{ goalsLeft: remaining_goals.length, goals: all_goals.length },
    },
  };
}

export function stageIn({ stages }: Pipeline, name: string): PipelineStage {
  const stage = stages.find((one) => one.name === name);
  if (!stage) throw new Error(`there is no stage ${name}`);
  return stage;
}

/** Whoever sends an envelope without an agent for its stages is told so before anything begins. */
export function answererOf({ agent: bound, tools }: PipelineStage, agent: string | null): Answerer {
  return tools ? { tools } : { agent: bound ?? agent ?? NOBODY };
}

function waitsOf(envelope: Envelope): Standing['waits'] {
  if (envelope.terminated) return null;
  const { clarification_question, confirmation_message, confirmation_id = null } = envelope;
  if (envelope.clarification_pending) {
    return { kind: 'clarification', question: clipped(clarification_question), id: null };
  }
  if (!envelope.confirmation_pending) return null;
  return { kind: 'confirmation', question: clipped(confirmation_message), id: confirmation_id };
}

function clipped(text: string | null | undefined): string {
  return (text ?? '').slice(0, QUESTION_LENGTH_MAX);
}

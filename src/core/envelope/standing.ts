import type { Envelope } from '../../contracts/generated/types/envelope.js';
import type { Pipeline, PipelineStage } from '../../contracts/generated/types/pipeline.js';
import type { BodyRef } from '../kernel/effect.js';
import { countersOf } from './bounds.js';
import { plainText } from './plain-text.js';

export type TerminalReason = NonNullable<Envelope['terminal_reason']>;
/** Who answers a stage: an agent, or Baton's own tools. */
export type Answerer = { agent: string } | { tools: readonly string[] };
/** Without an agent of its own it is left to the one that the envelope is sent with. */
export type DueStage = { stage: string; by: Answerer | { agent: null } };

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
  /** What it waits for: who asked, where an answer leads, and to which steps. */
  asked: { from: string; to: string; steps: string | null } | null;
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
const TEXT_LENGTH_MAX = 2_000;

export function standingOf(envelope: Envelope, progress: Progress, pipeline: Pipeline): Standing {
  const waits = waitsOf(envelope);
  const ended = envelope.terminated ? (envelope.terminal_reason ?? 'ended') : null;
  const rests = waits !== null || ended !== null;
  const { iteration, llm_call_count, max_llm_calls, agent_hop_count, max_agent_hops } = countersOf(envelope);
  const { current_stage_number = 1, all_goals = [], remaining_goals = [] } = envelope;
  return {
    due: rests ? [] : progress.due.map((stage) => ({ stage, by: answererOf(stageIn(pipeline, stage)) })),
    hopsLeft: Math.max(0, max_agent_hops - agent_hop_count),
    callsLeft: Math.max(0, max_llm_calls - llm_call_count),
    ...{ waits, ended, sentence: envelope.termination_reason ? clipped(envelope.termination_reason) : null },
    title: titleOf(envelope),
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

function answererOf({ agent, tools }: PipelineStage): DueStage['by'] {
  return tools ? { tools } : { agent: agent ?? null };
}

function titleOf({ raw_input, envelope_id }: Envelope): string {
  const [line = ''] = raw_input.trim().split('\n', 1);
  return plainText(line, TITLE_LENGTH_MAX).trim() || envelope_id;
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
  return plainText(text ?? '', TEXT_LENGTH_MAX);
}

/**
 * Contract 002 itself: an envelope, what its stages have come to, and the envelope that follows. Outputs are merged in
 * the order of the pipeline, so it does not matter who was faster.
 */

import type { Envelope } from '../../contracts/generated/types/envelope.js';
import type { EnvelopeError } from '../../contracts/generated/types/envelope-error.js';
import type { Pipeline, PipelineStage } from '../../contracts/generated/types/pipeline.js';
import type { ProcessingRecord } from '../../contracts/generated/types/processing-record.js';
import { boundReached, boundSentence } from './bounds.js';
import {
  beginGoals,
  completeStage,
  failGoals,
  goalsSaid,
  rememberPlan,
  satisfyGoals,
  withoutOutputsBehind,
} from './goals.js';
import { advance, goesBack, type Led } from './schedule.js';
import type { StageEnd, StageError } from './stage-end.js';
import { type Progress, stageIn, type TerminalReason } from './standing.js';

export type Output = Readonly<Record<string, unknown>>;
type End = StageEnd<Output>;
export type Applied = { envelope: Envelope; progress: Progress };
/** Makes the name of a question from what it is about. */
export type NameOf = (about: string) => string;

export function applyStages(before: Applied, pipeline: Pipeline, ends: readonly End[], nameOf: NameOf): Applied {
  const order = pipeline.stages.map(({ name }) => name);
  const inOrder = [...ends].sort((one, other) => order.indexOf(one.stage) - order.indexOf(other.stage));
  let { envelope, progress } = before;
  const led: Led[] = [];
  const asking: { end: End; led: Led }[] = [];
  for (const end of inOrder) {
    envelope = recorded(envelope, pipeline, end);
    const taken = takenFrom(envelope, progress, pipeline, end);
    ({ envelope, progress } = taken);
    led.push(taken.led);
    if (taken.led.to === 'clarification' || taken.led.to === 'confirmation') asking.push({ end, led: taken.led });
  }
  const atMs = Math.max(...ends.map(({ endedMs }) => endedMs));
  const places = advance(pipeline, progress, led, envelope.outputs);
  progress = { ...progress, ...places };
  const fatal = inOrder.find((end) => endOf(end, pipeline) !== null);
  if (fatal) {
    // Whoever goes on with it begins with what has failed.
    const due = order.filter((name) => name === fatal.stage || places.due.includes(name));
    return ended(
      { envelope, progress: { ...progress, due } },
      endOf(fatal, pipeline) as TerminalReason,
      endSentence(fatal),
      atMs,
    );
  }
  const [first] = asking;
  if (first) return interrupted({ envelope, progress }, first.end, first.led, nameOf);
  return settled({ envelope, progress }, pipeline, atMs);
}

/** What is due is due no more when a bound is reached; nothing due is the end. */
export function settled({ envelope, progress }: Applied, pipeline: Pipeline, atMs: number): Applied {
  if (envelope.terminated || envelope.clarification_pending || envelope.confirmation_pending)
    return { envelope, progress };
  const [next] = progress.due;
  if (next === undefined) {
    const [stuck] = progress.waiting;
    if (stuck === undefined) return completed({ envelope, progress }, pipeline, atMs);
    const { after = [], requires = [] } = stageIn(pipeline, stuck);
    const error: StageError = {
      ...{ error_type: 'PipelineError', recoverable: false },
      message: `stage ${stuck} waits for ${[...after, ...requires].join(', ')}, and nothing is left that could lead there`,
    };
    const said = withErrors(envelope, stuck, [error], atMs);
    return ended({ envelope: said, progress }, 'tool_failed_fatally', error.message, atMs);
  }
  const at = { ...envelope, current_stage: next };
  const fires = {
    count: progress.fires,
    ...(pipeline.max_critic_fires !== undefined && { max: pipeline.max_critic_fires }),
  };
  const counters = countersOf(at);
  const bound = boundReached(counters, fires);
  return bound === null
    ? { envelope: at, progress }
    : ended({ envelope: at, progress }, bound, boundSentence(bound, counters, fires), atMs);
}

export function ended(
  { envelope, progress }: Applied,
  reason: TerminalReason,
  sentence: string,
  atMs: number,
): Applied {
  const over: Envelope = {
    ...failGoals(envelope),
    ...{ terminated: true, terminal_reason: reason, termination_reason: sentence },
    ...{ clarification_pending: false, confirmation_pending: false, completed_at: isoOf(atMs) },
  };
  return { envelope: over, progress };
}

function completed({ envelope, progress }: Applied, { name }: Pipeline, atMs: number): Applied {
  const done = { ...envelope, current_stage: 'end' };
  return ended({ envelope: done, progress }, 'completed_successfully', `pipeline ${name} has come to its end`, atMs);
}

/** Counters, the record of the stage, and what went wrong in it. */
function recorded(envelope: Envelope, pipeline: Pipeline, end: End): Envelope {
  const { llm_call_count = 0, agent_hop_count = 0 } = envelope;
  const counted = {
    ...envelope,
    llm_call_count: llm_call_count + end.llmCalls,
    agent_hop_count: agent_hop_count + 1,
    processing_history: [...historyOf(envelope), recordOf(pipeline, end)],
  };
  const errors = end.type === 'error' ? [end.error] : end.type === 'output' ? end.errors : [];
  return withErrors(counted, end.stage, errors, end.endedMs);
}

function historyOf({ processing_history: history }: Envelope): unknown[] {
  return Array.isArray(history) ? history : [];
}

function recordOf({ stages }: Pipeline, end: End): ProcessingRecord {
  const error =
    end.type === 'error'
      ? end.error.message
      : end.type === 'output' && end.ends
        ? (end.errors[0]?.message ?? end.ends)
        : null;
  return {
    agent: end.stage,
    stage_order: stages.findIndex(({ name }) => name === end.stage) + 1,
    started_at: isoOf(end.startedMs),
    completed_at: isoOf(end.endedMs),
    duration_ms: Math.max(0, end.endedMs - end.startedMs),
    status: error === null ? (end.type === 'confirm' ? 'waiting' : 'success') : 'error',
    error,
    llm_calls: end.llmCalls,
  };
}

function withErrors(envelope: Envelope, stage: string, errors: readonly StageError[], atMs: number): Envelope {
  if (errors.length === 0) return envelope;
  const added = errors.map(
    ({ error_type, message, recoverable, details }): EnvelopeError => ({
      ...{ agent: stage, error_type, message, timestamp: isoOf(atMs), recoverable },
      details: { ...details },
    }),
  );
  return { ...envelope, errors: [...(envelope.errors ?? []), ...added] };
}

/** What the output of one stage changes, and where it leads. */
function takenFrom(envelope: Envelope, progress: Progress, pipeline: Pipeline, end: End): Applied & { led: Led } {
  const stage = stageIn(pipeline, end.stage);
  const from = end.stage;
  if (end.type === 'confirm') return { envelope, progress, led: { from, to: 'confirmation' } };
  const failsTo = end.type === 'error' || end.ends !== null ? (failsOn(stage) ?? 'end') : null;
  if (end.type === 'error') return ledTo(envelope, progress, pipeline, { from, to: failsTo ?? 'end' });
  const { output } = end;
  const merged = { ...envelope, outputs: { ...envelope.outputs, [stage.output_key]: { ...output } } };
  if (stage.tools) progress = { ...progress, confirmed: null };
  if (failsTo !== null) return ledTo(merged, progress, pipeline, { from, to: failsTo });
  if (stage.output_key === 'intent' && Array.isArray(output.goals)) {
    return routed(beginGoals(merged, output.goals as string[]), progress, pipeline, stage, output);
  }
  if (stage.output_key === 'critic') return judged(merged, progress, pipeline, stage, output);
  return routed(merged, progress, pipeline, stage, output);
}

function routed(
  envelope: Envelope,
  progress: Progress,
  pipeline: Pipeline,
  stage: PipelineStage,
  output: Output,
): Applied & { led: Led } {
  return ledTo(envelope, progress, pipeline, { from: stage.name, to: targetOf(stage, output) });
}

/** Every way back costs an iteration, so that no loop is without a bound. */
function ledTo(envelope: Envelope, progress: Progress, pipeline: Pipeline, led: Led): Applied & { led: Led } {
  return { envelope: goesBack(pipeline, led) ? iterated(envelope) : envelope, progress, led };
}

/** Where it goes on after a failure; the end is none. */
function failsOn({ error_next }: PipelineStage): string | null {
  return error_next === undefined || error_next === 'end' ? null : error_next;
}

function judged(
  envelope: Envelope,
  progress: Progress,
  pipeline: Pipeline,
  stage: PipelineStage,
  output: Output,
): Applied & { led: Led } {
  const said = goalsSaid(output, envelope);
  const led = { from: stage.name, to: targetOf(stage, output) };
  if (output.verdict === 'reintent') {
    const again = iterated(rememberPlan(envelope, output));
    const cleared = goesBack(pipeline, led) ? withoutOutputsBehind(again, pipeline.stages, led.to) : again;
    return { envelope: cleared, progress: { ...progress, fires: progress.fires + 1 }, led };
  }
  const satisfied = satisfyGoals(envelope, said);
  if (output.verdict !== 'next_stage') return { envelope: satisfied.envelope, progress, led };
  const { current_stage_number = 1, max_stages = 1 } = envelope;
  const stageDone = completeStage(satisfied.envelope, output, said);
  const goesOn = satisfied.left.length > 0 && current_stage_number < max_stages;
  return {
    envelope: goesOn ? { ...stageDone, current_stage_number: current_stage_number + 1 } : stageDone,
    progress: { ...progress, fires: 0 },
    led: goesOn ? led : { ...led, to: stage.default_next },
  };
}

function iterated(envelope: Envelope): Envelope {
  return { ...envelope, iteration: (envelope.iteration ?? 0) + 1 };
}

/** The first rule that matches; dots lead into objects. */
function targetOf({ rules = [], default_next }: PipelineStage, output: Output): string {
  return rules.find(({ field, equals }) => valueAt(output, field) === equals)?.to ?? default_next;
}

function valueAt(output: Output, field: string): unknown {
  if (Object.hasOwn(output, field)) return output[field];
  let value: unknown = output;
  for (const part of field.split('.')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, part)) return undefined;
    value = (value as Record<string, unknown>)[part];
  }
  return value;
}

/** An envelope ends with a stage that failed and leads nowhere. */
function endOf(end: End, pipeline: Pipeline): TerminalReason | null {
  if (end.type === 'confirm' || failsOn(stageIn(pipeline, end.stage)) !== null) return null;
  if (end.type === 'output') return end.ends;
  return end.error.recoverable ? 'tool_failed_recoverably' : 'tool_failed_fatally';
}

function endSentence(end: End): string {
  const why = end.type === 'error' ? end.error.message : end.type === 'output' ? end.errors[0]?.message : undefined;
  return `stage ${end.stage} failed${why === undefined ? '' : `: ${why}`}`;
}

function interrupted({ envelope, progress }: Applied, end: End, { to }: Led, nameOf: NameOf): Applied {
  const { stage } = end;
  const said = end.type === 'output' ? end.output : {};
  if (to === 'clarification') {
    const question = textIn(said, 'clarification_question') ?? `Stage ${stage} needs to know more. What is meant?`;
    const asked: Envelope = {
      ...envelope,
      ...{ clarification_pending: true, clarification_question: question, clarification_response: null },
      ...{ terminal_reason: 'clarification_required', current_stage: stage },
    };
    return { envelope: asked, progress: { ...progress, asked: { stage, steps: null } } };
  }
  const message =
    end.type === 'confirm'
      ? end.message
      : (textIn(said, 'confirmation_message') ?? `May it go on after stage ${stage}?`);
  const asked: Envelope = {
    ...envelope,
    ...{ confirmation_pending: true, confirmation_message: message, confirmation_response: null },
    confirmation_id: nameOf(`${envelope.envelope_id}/${envelope.agent_hop_count ?? 0}/${message}`),
    ...{ terminal_reason: 'confirmation_required', current_stage: stage },
  };
  const steps = end.type === 'confirm' ? end.steps : null;
  return { envelope: asked, progress: { ...progress, asked: { stage, steps } } };
}

function textIn(said: Output, field: string): string | undefined {
  const value = said[field];
  return typeof value === 'string' && value.trim() !== '' ? value : undefined;
}

function countersOf(envelope: Envelope) {
  const {
    iteration = 0,
    max_iterations = 1,
    llm_call_count = 0,
    max_llm_calls = 1,
    agent_hop_count = 0,
    max_agent_hops = 1,
  } = envelope;
  return { iteration, max_iterations, llm_call_count, max_llm_calls, agent_hop_count, max_agent_hops };
}

function isoOf(ms: number): string {
  return new Date(ms).toISOString();
}

/**
 * Contract 002 itself: an envelope, what its stages have come to, and the envelope that follows. Outputs are merged in
 * the order of the pipeline, so it does not matter who was faster.
 */

import type { Envelope } from '../../contracts/generated/types/envelope.js';
import type { Pipeline } from '../../contracts/generated/types/pipeline.js';
import { boundReached, boundSentence, countersOf } from './bounds.js';
import { failGoals } from './goals.js';
import { askedBy, asksFor, type NameOf, withQuestion } from './interrupt.js';
import { failsTo, type Output, type Routed, routeStage } from './route-stage.js';
import { advance, goesBack } from './schedule.js';
import type { StageEnd, StageError } from './stage-end.js';
import { isoOf, withErrors, withRecord } from './stage-record.js';
import { type Progress, stageIn, type TerminalReason } from './standing.js';

type End = StageEnd<Output>;
export type Applied = { envelope: Envelope; progress: Progress };
type Step = { end: End } & Pick<Routed, 'led' | 'again'>;

export function applyStages(before: Applied, pipeline: Pipeline, ends: readonly End[], nameOf: NameOf): Applied {
  const order = pipeline.stages.map(({ name }) => name);
  const inOrder = [...ends].sort((one, other) => order.indexOf(one.stage) - order.indexOf(other.stage));
  let at: Applied = before;
  const steps: Step[] = [];
  for (const end of inOrder) {
    const recorded = withRecord(at.envelope, pipeline, end);
    const { led, again, ...next } = routeStage({ envelope: recorded, progress: at.progress }, pipeline, end);
    at = next;
    steps.push({ end, led, again });
  }
  // Those that go back together go back once.
  if (steps.some(({ again }) => again)) at = { ...at, envelope: iterated(at.envelope) };
  const atMs = Math.max(...ends.map(({ endedMs }) => endedMs));
  return failed(at, pipeline, steps, atMs) ?? asked(at, pipeline, steps, nameOf) ?? led(at, pipeline, steps, atMs);
}

/** Nothing due is the end; what is due is due no more when a bound is reached. */
export function settled({ envelope, progress }: Applied, pipeline: Pipeline, atMs: number): Applied {
  if (envelope.terminated || envelope.clarification_pending || envelope.confirmation_pending) {
    return { envelope, progress };
  }
  const [next] = progress.due;
  if (next === undefined) return finished({ envelope, progress }, pipeline, atMs);
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

/** An envelope ends with a stage that failed and leads nowhere. Whoever goes on with it begins with what has failed. */
function failed(at: Applied, pipeline: Pipeline, steps: readonly Step[], atMs: number): Applied | null {
  const fatal = steps.find(({ end }) => endOf(end, pipeline) !== null)?.end;
  const reason = fatal && endOf(fatal, pipeline);
  if (!fatal || !reason) return null;
  const over = steps.filter(({ end, led }) => endOf(end, pipeline) === null && asksFor(led) === null);
  const progress = advanced(at, pipeline, over);
  const [next = fatal.stage] = progress.due;
  return ended({ envelope: { ...at.envelope, current_stage: next }, progress }, reason, endSentence(fatal), atMs);
}

/** One question at a time: who asks something else is asked again afterwards. */
function asked(at: Applied, pipeline: Pipeline, steps: readonly Step[], nameOf: NameOf): Applied | null {
  const first = steps.find(({ led }) => asksFor(led) !== null);
  const kind = first && asksFor(first.led);
  if (!first || !kind) return null;
  const answer = askedBy(kind, pipeline, first.end);
  const isOver = (step: Step): boolean =>
    asksFor(step.led) === null || (step === first && !goesBack(pipeline, answer) && step.end.type !== 'confirm');
  const progress = { ...advanced(at, pipeline, steps.filter(isOver)), asked: answer };
  return { envelope: { ...withQuestion(at.envelope, first.end, kind, nameOf), current_stage: answer.to }, progress };
}

function led(at: Applied, pipeline: Pipeline, steps: readonly Step[], atMs: number): Applied {
  return settled({ envelope: at.envelope, progress: advanced(at, pipeline, steps) }, pipeline, atMs);
}

/** Stages that are not among those that are over stay due. */
function advanced({ envelope, progress }: Applied, pipeline: Pipeline, over: readonly Step[]): Progress {
  const places = advance(
    pipeline,
    progress,
    over.map((step) => step.led),
    envelope.outputs,
  );
  return { ...progress, ...places };
}

function finished({ envelope, progress }: Applied, pipeline: Pipeline, atMs: number): Applied {
  const [stuck] = progress.waiting;
  if (stuck === undefined) {
    const done = { ...envelope, current_stage: 'end' };
    const sentence = `pipeline ${pipeline.name} has come to its end`;
    return ended({ envelope: done, progress }, 'completed_successfully', sentence, atMs);
  }
  const { after = [], requires = [] } = stageIn(pipeline, stuck);
  const awaited = [...after, ...requires].join(', ');
  const error: StageError = {
    ...{ error_type: 'PipelineError', recoverable: false },
    message: `stage ${stuck} waits for ${awaited}, and nothing is left that could lead there`,
  };
  const said = { ...withErrors(envelope, stuck, [error], atMs), current_stage: stuck };
  return ended({ envelope: said, progress }, 'tool_failed_fatally', error.message, atMs);
}

function endOf(end: End, pipeline: Pipeline): TerminalReason | null {
  if (end.type === 'confirm' || failsTo(stageIn(pipeline, end.stage)) !== 'end') return null;
  if (end.type === 'output') return end.ends;
  return end.error.recoverable ? 'tool_failed_recoverably' : 'tool_failed_fatally';
}

function endSentence(end: End): string {
  const why = end.type === 'error' ? end.error.message : end.type === 'output' ? end.errors[0]?.message : undefined;
  return `stage ${end.stage} failed${why === undefined ? '' : `: ${why}`}`;
}

function iterated(envelope: Envelope): Envelope {
  return { ...envelope, iteration: (envelope.iteration ?? 0) + 1 };
}

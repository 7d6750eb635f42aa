/** What the output of one stage changes, and where it leads. */

import type { Envelope } from '../../contracts/generated/types/envelope.js';
import type { Pipeline, PipelineStage } from '../../contracts/generated/types/pipeline.js';
import { beginGoals, completeStage, goalsSaid, rememberPlan, satisfyGoals, withoutOutputsBehind } from './goals.js';
import { goesBack, type Led } from './schedule.js';
import type { StageEnd } from './stage-end.js';
import { type Progress, stageIn } from './standing.js';

export type Output = Readonly<Record<string, unknown>>;
type At = { envelope: Envelope; progress: Progress };
/** `again`: work that was done is to be done once more, which costs an iteration. */
export type Routed = At & { led: Led; again: boolean };

export function routeStage(before: At, pipeline: Pipeline, end: StageEnd<Output>): Routed {
  const stage = stageIn(pipeline, end.stage);
  const from = end.stage;
  if (end.type === 'confirm') return { ...before, led: { from, to: 'confirmation' }, again: false };
  // What was agreed to was agreed to once.
  const progress = stage.tools ? { ...before.progress, confirmed: null } : before.progress;
  const { envelope } = before;
  const failed = { from, to: failsTo(stage) };
  if (end.type === 'error') return leads({ envelope, progress }, pipeline, failed);
  const { output } = end;
  const merged = { ...envelope, outputs: { ...envelope.outputs, [stage.output_key]: { ...output } } };
  if (end.ends !== null) return leads({ envelope: merged, progress }, pipeline, failed);
  if (stage.output_key === 'critic') return judged({ envelope: merged, progress }, pipeline, stage, output);
  const wanted = stage.output_key === 'intent' && Array.isArray(output.goals) ? output.goals : null;
  const aimed = wanted ? beginGoals(merged, wanted) : merged;
  return leads({ envelope: aimed, progress }, pipeline, { from, to: targetOf(stage, output) });
}

/** Where it goes on after a failure; `end` when the envelope ends with it. */
export function failsTo({ error_next = 'end' }: PipelineStage): string {
  return error_next;
}

/** Every way back costs an iteration, so that no loop is without a bound. */
function leads(at: At, pipeline: Pipeline, led: Led): Routed {
  return { ...at, led, again: goesBack(pipeline, led) };
}

function judged({ envelope, progress }: At, pipeline: Pipeline, stage: PipelineStage, output: Output): Routed {
  const led = { from: stage.name, to: targetOf(stage, output) };
  if (output.verdict === 'reintent') {
    const remembered = rememberPlan(envelope, output);
    const cleared = goesBack(pipeline, led) ? withoutOutputsBehind(remembered, pipeline, led.to) : remembered;
    return { envelope: cleared, progress: { ...progress, fires: progress.fires + 1 }, led, again: true };
  }
  const said = goalsSaid(output, envelope);
  const satisfied = satisfyGoals(envelope, said);
  if (output.verdict !== 'next_stage') return leads({ envelope: satisfied.envelope, progress }, pipeline, led);
  const { current_stage_number = 1, max_stages = 1 } = envelope;
  const stageDone = completeStage(satisfied.envelope, output, said);
  const calm = { ...progress, fires: 0 };
  if (satisfied.left.length > 0 && current_stage_number < max_stages) {
    const next = { ...stageDone, current_stage_number: current_stage_number + 1 };
    return { envelope: next, progress: calm, led, again: false };
  }
  // There is no next one: as if it had been approved.
  const to = targetOf(stage, { ...output, verdict: 'approved' });
  return leads({ envelope: stageDone, progress: calm }, pipeline, { from: stage.name, to });
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

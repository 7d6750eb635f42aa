import type { EnvelopeMove, EnvelopePass } from '../../contracts/api/envelope-shapes.js';
import type { Pipeline, PipelineStage } from '../../contracts/generated/types/pipeline.js';
import type { EnvelopeEvent } from '../../core/envelope/envelope-messages.js';
import type { StageRun } from '../../core/envelope/envelope-state.js';

export type Told = { seq: number; at: string; event: EnvelopeEvent };

const MICRO_PER_USD = 1_000_000;
const NEW = {
  ended_at: null,
  status: 'running',
  error: null,
  llm_calls: 0,
  tries: 0,
  cost_usd: 0,
  output: null,
} as const;

export function passesIn(told: readonly Told[], pipeline: Pipeline): EnvelopePass[] {
  const passes = new Map<string, EnvelopePass>();
  // By the stage: what is asked again after an answer that was of no use has another handoff.
  const change = (stage: string, to: (pass: EnvelopePass) => Partial<EnvelopePass>): void => {
    const pass = [...passes.values()].findLast((one) => one.stage === stage);
    if (pass) passes.set(pass.handoff, { ...pass, ...to(pass) });
  };
  let before: string[] = [];
  let place = { iteration: 0, stage_number: 1 };
  for (const { seq, at, event } of told) {
    if (event.type === 'EnvelopeReceived' || event.type === 'EnvelopeMoved') {
      const { iteration, stageNumber } = event.moved.standing.figures;
      place = { iteration, stage_number: stageNumber };
      if (event.type === 'EnvelopeReceived') before = [];
    }
    if (event.type === 'StagesStarted') {
      for (const { stage, handoff, by } of event.stages) {
        const agent = 'agent' in by ? by.agent : null;
        const from = leadersOf(stage, before, pipeline)[0] ?? null;
        const number = passes.size + 1;
        passes.set(handoff, { ...NEW, ...place, number, stage, agent, handoff, event: seq, started_at: at, from });
      }
      before = event.stages.map(({ stage }) => stage);
    }
    if (event.type === 'HandoffAsked') change(event.stage, ({ tries }) => ({ tries: tries + 1 }));
    if (event.type === 'HandoffEnded') {
      change(event.stage, ({ cost_usd }) => ({ cost_usd: cost_usd + event.usage.costMicroUsd / MICRO_PER_USD }));
    }
    if (event.type === 'StageEnded') change(event.end.stage, () => endOf(event.end, at));
  }
  return [...passes.values()];
}

function endOf(end: Extract<StageRun['phase'], { name: 'over' }>['end'], at: string): Partial<EnvelopePass> {
  const over = { ended_at: at, llm_calls: end.llmCalls };
  if (end.type === 'error') return { ...over, status: 'error', error: end.error.message };
  if (end.type === 'confirm') return { ...over, status: 'waiting' };
  const error = end.ends === null ? null : (end.errors[0]?.message ?? end.ends);
  return { ...over, status: error === null ? 'success' : 'error', error, output: end.output.sha256 };
}

export function movesIn(told: readonly Told[], pipeline: Pipeline): EnvelopeMove[] {
  const counts = new Map<string, EnvelopeMove>();
  const count = (from: string, to: string): void => {
    const move = counts.get(`${from} ${to}`) ?? { from, to, count: 0 };
    counts.set(`${from} ${to}`, { ...move, count: move.count + 1 });
  };
  const ran = new Set<string>();
  let before: readonly string[] = [];
  let begins = 'start';
  for (const { event } of told) {
    if (event.type === 'EnvelopeReceived') {
      begins = event.closes === null ? 'start' : 'answer';
      before = [];
    }
    if (event.type === 'StagesStarted') {
      const stages = event.stages.map(({ stage }) => stage);
      for (const stage of stages) {
        const leaders = leadersOf(stage, before, pipeline, ran);
        for (const from of leaders.length === 0 ? [begins] : leaders) count(from, stage);
      }
      for (const undone of behind(stages, pipeline)) ran.delete(undone);
      for (const stage of stages) ran.add(stage);
      before = stages;
    }
    if (event.type === 'EnvelopeMoved') {
      const { progress, standing } = event.moved;
      if (event.question && progress.asked) count(progress.asked.from, event.question.kind);
      if (standing.ended === 'completed_successfully') for (const stage of before) count(stage, 'end');
    }
  }
  return [...counts.values()];
}

/** Of those that were at work before, who leads there; and of those it comes after, who has run. */
function leadersOf(
  stage: string,
  before: readonly string[],
  { stages }: Pipeline,
  ran: ReadonlySet<string> = new Set(),
): readonly string[] {
  if (before.length === 0) return [];
  const { after = [] } = stages.find(({ name }) => name === stage) ?? {};
  return stages
    .filter((one) => {
      const isBefore = before.includes(one.name);
      return after.includes(one.name) ? isBefore || ran.has(one.name) : isBefore && targetsOf(one).includes(stage);
    })
    .map(({ name }) => name);
}

function targetsOf({ rules = [], default_next, error_next }: PipelineStage): readonly (string | undefined)[] {
  return [default_next, error_next, ...rules.map(({ to }) => to)];
}

/** What stands behind the first of them has to be done again. */
function behind(started: readonly string[], { stages }: Pipeline): readonly string[] {
  const first = stages.findIndex(({ name }) => started.includes(name));
  return stages.slice(first).map(({ name }) => name);
}

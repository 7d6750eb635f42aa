import type { Envelope } from '../../contracts/generated/types/envelope.js';
import type { Pipeline } from '../../contracts/generated/types/pipeline.js';
import { statusOf } from '../../core/envelope/envelope-decider.js';
import type { EnvelopeEvent } from '../../core/envelope/envelope-messages.js';
import type { LiveEnvelope, StageRun } from '../../core/envelope/envelope-state.js';
import type { EventRow } from '../ports.js';

/** One time a stage was at work. `document` is the envelope it led to, once that is there. */
export type Pass = {
  number: number;
  stage: string;
  agent: string | null;
  handoff: string;
  started_at: string;
  ended_at: string | null;
  status: 'running' | 'success' | 'error' | 'waiting';
  error: string | null;
  llm_calls: number;
  tries: number;
  /** Address of its output, for whoever wants to read it. */
  output: string | null;
  /** Where it was led to it from; null when it was the first, or a person or a sender led there. */
  from: string | null;
};

/** Everything the page of an envelope shows. */
export type EnvelopeBoard = {
  run_id: string;
  status: string;
  envelope: Envelope;
  pipeline: Pipeline;
  agent: string | null;
  repository: string | null;
  due: readonly string[];
  waiting: readonly string[];
  critic_fires: number;
  passes: readonly Pass[];
  /** How often it went from one stage to another; the beginning is `start`, the end `end`. */
  moves: readonly { from: string; to: string; count: number }[];
  /** The envelope as it was after each event that changed it. */
  versions: readonly { seq: number; at: string; document: string; stages: readonly string[] }[];
  question: { item: number | null; kind: 'clarification' | 'confirmation'; text: string; expires_at: string } | null;
};

type Told = { seq: number; at: string; event: EnvelopeEvent };

export function envelopeBoard(
  live: LiveEnvelope,
  {
    run,
    envelope,
    pipeline,
    rows,
    item,
  }: { run: string; envelope: Envelope; pipeline: Pipeline; rows: readonly EventRow[]; item: number | null },
): EnvelopeBoard {
  const told = rows.map(({ seq, at, type, data }): Told => ({ seq, at, event: { ...JSON.parse(data), type } }));
  const passes = passesIn(told, pipeline);
  const { progress } = live.now;
  return {
    ...{ run_id: run, status: statusOf(live), envelope, pipeline, agent: live.order.agent },
    repository: live.order.repository?.folder ?? null,
    ...{ due: progress.due, waiting: progress.waiting, critic_fires: progress.fires, passes },
    moves: movesIn(passes, envelope),
    versions: versionsIn(told),
    question: live.asked && {
      ...{ item, kind: live.asked.kind, text: live.asked.question },
      expires_at: new Date(live.asked.expiresAtMs).toISOString(),
    },
  };
}

function passesIn(told: readonly Told[], pipeline: Pipeline): Pass[] {
  const passes = new Map<string, Pass>();
  let before: string[] = [];
  for (const { at, event } of told) {
    if (event.type === 'StagesStarted') {
      for (const { stage, handoff, by } of event.stages) {
        const agent = 'agent' in by ? by.agent : null;
        passes.set(handoff, {
          ...NEW,
          number: passes.size + 1,
          stage,
          handoff,
          agent,
          started_at: at,
          from: leaderOf(stage, before, pipeline),
        });
      }
      before = event.stages.map(({ stage }) => stage);
    }
    if (event.type === 'EnvelopeReceived') before = [];
    if (event.type === 'HandoffAsked') asked(passes, event.stage);
    if (event.type === 'StageEnded') change(passes, event.end.stage, endOf(event.end, at));
  }
  return [...passes.values()];
}

const NEW = { ended_at: null, status: 'running', error: null, llm_calls: 0, tries: 0, output: null } as const;

function asked(passes: Map<string, Pass>, stage: string): void {
  const pass = lastOf(passes, stage);
  if (pass) passes.set(pass.handoff, { ...pass, tries: pass.tries + 1 });
}

function change(passes: Map<string, Pass>, stage: string, to: Partial<Pass>): void {
  const pass = lastOf(passes, stage);
  if (pass) passes.set(pass.handoff, { ...pass, ...to });
}

/** What is asked again after an answer that was of no use has another handoff. */
function lastOf(passes: Map<string, Pass>, stage: string): Pass | undefined {
  return [...passes.values()].findLast((pass) => pass.stage === stage);
}

function endOf(end: Extract<StageRun['phase'], { name: 'over' }>['end'], at: string): Partial<Pass> {
  const over = { ended_at: at, llm_calls: end.llmCalls };
  if (end.type === 'error') return { ...over, status: 'error', error: end.error.message };
  if (end.type === 'confirm') return { ...over, status: 'waiting' };
  const error = end.ends === null ? null : (end.errors[0]?.message ?? end.ends);
  return { ...over, status: error === null ? 'success' : 'error', error, output: end.output.sha256 };
}

/** Of those that were at work before, the one that leads there. */
function leaderOf(stage: string, before: readonly string[], pipeline: Pipeline): string | null {
  const leads = pipeline.stages.filter(({ name }) => before.includes(name));
  const { after = [] } = pipeline.stages.find(({ name }) => name === stage) ?? {};
  const led = leads.find(
    ({ name, rules = [], default_next, error_next }) =>
      after.includes(name) || [default_next, error_next, ...rules.map(({ to }) => to)].includes(stage),
  );
  return led?.name ?? null;
}

function movesIn(passes: readonly Pass[], { current_stage, terminal_reason }: Envelope): EnvelopeBoard['moves'] {
  const counts = new Map<string, { from: string; to: string; count: number }>();
  const count = (from: string, to: string): void => {
    const move = counts.get(`${from} ${to}`) ?? { from, to, count: 0 };
    counts.set(`${from} ${to}`, { ...move, count: move.count + 1 });
  };
  for (const { from, stage } of passes) count(from ?? 'start', stage);
  const last = passes.at(-1);
  if (last && current_stage === 'end' && terminal_reason === 'completed_successfully') count(last.stage, 'end');
  return [...counts.values()];
}

function versionsIn(told: readonly Told[]): EnvelopeBoard['versions'] {
  let stages: readonly string[] = [];
  return told.flatMap(({ seq, at, event }) => {
    if (event.type === 'StagesStarted') stages = event.stages.map(({ stage }) => stage);
    if (event.type !== 'EnvelopeReceived' && event.type !== 'EnvelopeMoved') return [];
    const led = event.type === 'EnvelopeMoved' ? stages : [];
    return [{ seq, at, document: event.moved.document.sha256, stages: led }];
  });
}

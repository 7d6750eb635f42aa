import type { Ask, BodyRef, Effect } from '../kernel/effect.js';
import type { LiveEnvelope, StageRun, Wave } from './envelope-state.js';
import type { StageEnd } from './stage-end.js';
import type { Progress } from './standing.js';

export const STAGE_COMPOSER = 'stage';
export const STAGE_READER = 'stage';
export const APPLY_DEED = 'envelope.apply';
export const TOOLS_DEED = 'envelope.tools';
export const EXPIRE_DEED = 'envelope.expire';

/** All that a request to a stage is made of. */
export type StageFacts = {
  document: BodyRef;
  pipeline: BodyRef;
  stage: string;
  repair: { problem: string; answer: BodyRef } | null;
};

/** All that is needed to make the next version of a document. */
export type MoveFacts = {
  document: BodyRef;
  pipeline: BodyRef;
  progress: Progress;
};

/** The same for the end of one stage. */
export type EndFacts = MoveFacts & {
  stage: string;
  startedMs: number;
  /** Answers to it so far. */
  llmCalls: number;
  /** Nobody else is at work, so the next document can be made at once. */
  alone: boolean;
  folder: string | null;
};
/** `isNamed`: the folder is what the envelope is about, so what is cited is looked up there. */
export type ReadFacts = EndFacts & { mayRepair: boolean; isNamed: boolean };
/** `wasLost`: it was begun before, and nobody knows how far it came. */
export type ToolsFacts = EndFacts & { tools: readonly string[]; wasLost: boolean };
export type ApplyFacts = MoveFacts & { ends: readonly StageEnd[] };
export type ExpireFacts = MoveFacts & { waitedMs: number };

export const applyKey = ({ number }: Wave): string => `apply-${number}`;
export const expireKey = (question: number): string => `expire-${question}`;
export const admitKey = ({ handoff, attempt }: StageRun): string => `admit-${handoff}-${attempt + 1}`;
export const affordKey = ({ handoff, attempt }: StageRun): string => `afford-${handoff}-${attempt}`;
export const pauseKey = ({ handoff, attempt }: StageRun): string => `pause-${handoff}-${attempt}`;
export const toolsKey = ({ handoff, attempt }: StageRun): string => `tools-${handoff}-${attempt}`;

export function* envelopeEffects(envelope: LiveEnvelope): Iterable<Effect> {
  const { wave, asked } = envelope;
  if (wave) yield* waveEffects(envelope, wave);
  if (!asked) return;
  if (asked.isExpired) {
    const waitedMs = WAITS_MS[asked.kind];
    yield {
      type: 'Perform',
      key: expireKey(asked.number),
      deed: EXPIRE_DEED,
      input: { ...moveFacts(envelope), waitedMs },
    };
    return;
  }
  yield { type: 'Wake', key: `wait-${asked.number}`, atMs: asked.expiresAtMs };
  if (!asked.notified) yield { type: 'Notify', key: `notify-${asked.number}`, title: asked.question };
}

/** How long a question waits. */
export const WAITS_MS = { clarification: 24 * 3_600_000, confirmation: 3_600_000 } as const;

function* waveEffects(envelope: LiveEnvelope, wave: Wave): Iterable<Effect> {
  const ends = wave.stages.flatMap(({ phase }) => (phase.name === 'over' ? [phase.end] : []));
  if (ends.length === wave.stages.length) {
    const input: ApplyFacts = { ...moveFacts(envelope), ends };
    yield { type: 'Perform', key: applyKey(wave), deed: APPLY_DEED, input };
    return;
  }
  const lanes = new Set<string>();
  for (const run of wave.stages) {
    if (run.phase.name === 'queued' && 'agent' in run.by && !lanes.has(run.by.agent)) {
      // Whoever is let in answers all of them.
      lanes.add(run.by.agent);
      yield { type: 'Admit', key: admitKey(run), lane: run.by.agent, rank: 0, pays: envelope.order.project };
    }
    yield* runEffects(envelope, wave, run);
  }
}

function* runEffects(envelope: LiveEnvelope, wave: Wave, run: StageRun): Iterable<Effect> {
  const { phase, by } = run;
  if (phase.name === 'pausing') yield { type: 'Wake', key: pauseKey(run), atMs: phase.untilMs };
  if (phase.name === 'parked') yield { type: 'Afford', key: affordKey(run), project: envelope.order.project };
  if (phase.name === 'asking' && 'agent' in by) yield ask(envelope, wave, run, by.agent, phase.deadlineMs);
  if (phase.name === 'tools' && 'tools' in by) {
    const input: ToolsFacts = { ...endFacts(envelope, wave, run), tools: by.tools, wasLost: run.wasLost };
    yield { type: 'Perform', key: toolsKey(run), deed: TOOLS_DEED, input };
  }
}

function ask(envelope: LiveEnvelope, wave: Wave, run: StageRun, agent: string, deadlineMs: number): Ask {
  const { handoff, stage, attempt, repair } = run;
  const isNamed = envelope.order.repository?.named === true;
  const facts: StageFacts = {
    document: envelope.now.document,
    pipeline: envelope.order.pipeline.document,
    stage,
    repair,
  };
  const reading: ReadFacts = { ...endFacts(envelope, wave, run), mayRepair: mayRepair(envelope, wave, run), isNamed };
  return {
    ...{ type: 'Ask', key: handoff, agent, lane: agent, attempt, deadlineMs },
    request: { composer: STAGE_COMPOSER, from: facts },
    reading: { reader: STAGE_READER, from: reading },
  };
}

/** Once, while calls are left that no stage of the wave needs: given away in the order of the pipeline, whoever is faster. */
function mayRepair({ now }: LiveEnvelope, { stages }: Wave, run: StageRun): boolean {
  const asked = stages.filter(({ by }) => 'agent' in by);
  return run.repair === null && asked.indexOf(run) < now.standing.callsLeft - asked.length;
}

function moveFacts({ now: { document, progress }, order }: LiveEnvelope): MoveFacts {
  return { document, pipeline: order.pipeline.document, progress };
}

function endFacts(envelope: LiveEnvelope, wave: Wave, { stage, startedMs, llmCalls }: StageRun): EndFacts {
  const folder = envelope.order.repository?.folder ?? null;
  return { ...moveFacts(envelope), stage, startedMs, llmCalls, alone: wave.stages.length === 1, folder };
}

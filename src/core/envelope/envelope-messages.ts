import type { Limits } from '../kernel/budget.js';
import type { BodyRef, EffectResult, FailureKind, Usage } from '../kernel/effect.js';
import type { StageEnd } from './stage-end.js';
import type { Answerer, Moved } from './standing.js';

/** How an envelope is to be worked on; pinned when it is first received, but for what may be said later. */
export type EnvelopeOrder = {
  pipeline: { name: string; document: BodyRef };
  /** Answers the stages that are bound to nobody. */
  agent: string | null;
  /** Where tools look. `named`: somebody said so, and what is cited must be there. */
  repository: { folder: string; named: boolean } | null;
  project: string;
  /** Names of environment variables that are passed on to agents. */
  env: readonly string[];
  /** Hosts that agents may reach from inside a sandbox. */
  network: readonly string[];
  limits: Limits;
};

/** What is said with an envelope that is known already: another agent, or the folder that it had not. */
export type MoreSaid = Partial<Pick<EnvelopeOrder, 'agent' | 'repository'>>;

/** Until it rests, one stage only, or not at all. */
export type Pace = 'process' | 'step' | 'rest';

export type EnvelopeCommand =
  | {
      type: 'Receive';
      atMs: number;
      order: EnvelopeOrder;
      /** As it was sent. */
      sent: { document: BodyRef; hash: string };
      moved: Moved;
      /** The version it was judged against; null when there was none. */
      on: string | null;
      pace: Pace;
    }
  /** The same envelope again. `on`: the version that a step was asked for on. */
  | { type: 'Go'; atMs: number; pace: Pace; more: MoreSaid; on: string }
  | EffectResult;

/** What was read out of an answer. `moved`: it was the only stage at work, so the next envelope is known with it. */
export type StageReading = {
  problem: string | null;
  /** What stood around the object that it should have been. */
  violation: string | null;
  /** What it says it has used. */
  reported: Usage | null;
  end: StageEnd | null;
  moved: Moved | null;
};
/** What tools have come to. */
export type ToolsReading = { end: StageEnd; moved: Moved | null };

export type StartedStage = { stage: string; by: Answerer; handoff: string };

/** Named like those of a job where they say the same, so that costs and logs are read in one way. */
export type EnvelopeEvent = { atMs: number } & (
  | {
      type: 'EnvelopeReceived';
      order: EnvelopeOrder;
      sent: { document: BodyRef; hash: string };
      moved: Moved;
      pace: Pace;
      /** The question that it answers. */
      closes: number | null;
      question: Asked | null;
    }
  | { type: 'EnvelopeResumed'; pace: Pace; more: MoreSaid }
  | { type: 'StagesStarted'; wave: number; stages: readonly StartedStage[] }
  | { type: 'HandoffAsked'; handoff: string; stage: string; attempt: number; agent: string; deadlineMs: number }
  | { type: 'HandoffParked'; handoff: string; reason: string; untilMs: number }
  | { type: 'HandoffUnparked'; handoff: string }
  | { type: 'PauseEnded'; handoff: string }
  | {
      type: 'HandoffEnded';
      handoff: string;
      stage: string;
      attempt: number;
      response: 'SUCCESS' | 'ERROR' | 'TIMEOUT';
      action: 'COMPLETED' | 'RETRY' | 'STUCK';
      cause: FailureKind | 'lost' | 'asked' | 'output' | null;
      reason: string | null;
      request: BodyRef | null;
      answer: BodyRef | null;
      usage: Usage;
      /** When it is asked again; null when it is not. */
      againMs: number | null;
    }
  | { type: 'ToolsLost'; handoff: string; attempt: number }
  | { type: 'protocol_violation'; handoff: string; reason: string }
  | { type: 'StageEnded'; handoff: string; end: StageEnd }
  | { type: 'EnvelopeMoved'; wave: number; moved: Moved; question: Asked | null }
  | { type: 'StewardNotified'; question: number }
  | { type: 'InterruptExpired'; question: number }
);

/** A question that waits for a person. */
export type Asked = {
  number: number;
  kind: 'clarification' | 'confirmation';
  question: string;
  expiresAtMs: number;
};

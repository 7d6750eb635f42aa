import { NOTHING_SPENT, type Spent } from '../kernel/budget.js';
import type { BodyRef } from '../kernel/effect.js';
import type { Asked, EnvelopeOrder, Pace, StartedStage } from './envelope-messages.js';
import type { StageEnd } from './stage-end.js';
import type { Moved } from './standing.js';

/** A stage that was started: who answers, how far that is, and what came of it. */
export type StageRun = StartedStage & {
  startedMs: number;
  phase:
    | { name: 'queued' }
    | { name: 'parked'; untilMs: number }
    | { name: 'pausing'; untilMs: number }
    | { name: 'asking'; askedAtMs: number; deadlineMs: number }
    | { name: 'tools' }
    | { name: 'over'; end: StageEnd };
  /** How often it was asked, and how often in a row because nobody answered. */
  attempt: number;
  repeats: number;
  llmCalls: number;
  /** Of tools: they were cut off, and are begun again. */
  wasLost: boolean;
  /** What was wrong with its last answer. */
  repair: { problem: string; answer: BodyRef } | null;
};

/** Stages that were due together: what they come to counts when all of them have ended. */
export type Wave = { number: number; stages: readonly StageRun[] };

export type EnvelopeRun = { status: 'new' } | LiveEnvelope;
export type LiveEnvelope = {
  status: 'open';
  order: EnvelopeOrder;
  /** Every version that was sent, accepted or made, the newest last. */
  versions: { hash: string; document: BodyRef; by: 'sender' | 'receipt' | 'stages' }[];
  now: Moved;
  pace: Pace;
  waves: number;
  wave: Wave | null;
  /** What waits for a person, and whether somebody was told. */
  asked: (Asked & { notified: boolean; isExpired: boolean }) | null;
  questions: number;
  handoffs: number;
  spent: Spent;
};

export function beginEnvelope(order: EnvelopeOrder, now: Moved): LiveEnvelope {
  return {
    ...{ status: 'open', order, now, versions: [], pace: 'rest', waves: 0, wave: null },
    ...{ asked: null, questions: 0, handoffs: 0, spent: NOTHING_SPENT },
  };
}

export function questionKey(number: number): string {
  return `asked-${number}`;
}

export function runOf({ wave }: LiveEnvelope, handoff: string): StageRun | undefined {
  return wave?.stages.find((run) => run.handoff === handoff);
}

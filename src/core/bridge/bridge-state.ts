import { NOTHING_SPENT, type Spent } from '../kernel/budget.js';
import type { BridgeOrder, BridgeProblem, BridgeReply, Exit, KeptFiles, TakenRequest } from './bridge-messages.js';

/** Who has the baton, and what is due. */
export type BridgeStage =
  /** The orchestrator runs. */
  | { name: 'orchestrating'; resume: boolean }
  | { name: 'queued' }
  | { name: 'parked'; untilMs: number }
  | { name: 'pausing'; untilMs: number }
  | { name: 'asking'; askedAtMs: number; deadlineMs: number }
  /** A person is asked. */
  | { name: 'waiting'; question: number; notified: boolean }
  /** The answer is written for an orchestrator that somebody else starts. */
  | { name: 'delivering' }
  | { name: 'cleaning' }
  /** Nobody handles it; whoever begins goes on here. */
  | { name: 'interrupted'; reason: string; isAnswered?: true }
  | { name: 'watching' }
  | { name: 'over' };

/** The request that is being answered. `tries`: how often each kind of failure was tried again. */
export type OpenRequest = TakenRequest & {
  handoff: string;
  takenMs: number;
  attempt: number;
  tries: { failed: number; timeout: number };
};

export type BridgeRun = { status: 'new' } | LiveBridge;
export type LiveBridge = {
  status: 'open';
  order: BridgeOrder;
  handler: string | null;
  stage: BridgeStage;
  /** How often the orchestrator was started, and how many of the last rounds asked nothing new. */
  rounds: number;
  idleRounds: number;
  request: OpenRequest | null;
  /** Every answer that was given, by its request: who asks again is answered from here. */
  replies: Record<string, BridgeReply>;
  /** Of all requests of this run. */
  fingerprints: string[];
  /** Not known to have been read yet. */
  reply: BridgeReply | null;
  /** Why it could not be written for whoever starts the orchestrator. */
  undelivered: string | null;
  /** As they lay there last; the state is put back when it is gone. */
  files: KeptFiles;
  lastExit: Exit | null;
  end: { exitCode: number; problem: BridgeProblem | null } | null;
  handoffs: number;
  questions: number;
  spent: Spent;
};

export const NO_FILES: KeptFiles = { request: null, response: null, state: null };

export function newBridge(order: BridgeOrder, stage: BridgeStage): LiveBridge {
  return {
    ...{ status: 'open', order, handler: null, stage, rounds: 0, idleRounds: 0, request: null, replies: {} },
    ...{ fingerprints: [], reply: null, undelivered: null, files: NO_FILES, lastExit: null, end: null },
    ...{ handoffs: 0, questions: 0, spent: NOTHING_SPENT },
  };
}

/** The answer lies in the folder, or whoever starts the orchestrator has gone on with it. */
export function isDelivered({ stage }: LiveBridge): boolean {
  return stage.name === 'watching' || (stage.name === 'interrupted' && stage.isAnswered === true);
}

export function questionKey(question: number): string {
  return `request-${question}`;
}

/** Nobody works on it: whoever begins, or takes a request, goes on from here. */
export function isAtRest({ stage }: LiveBridge): boolean {
  return stage.name === 'interrupted' || stage.name === 'watching' || stage.name === 'over';
}

import { NOTHING_SPENT, type Spent } from '../kernel/budget.js';
import type { BodyRef } from '../kernel/effect.js';
import type { DeedFacts } from './session-effects.js';
import type { CallKind, NewInput, SessionOrder, ThreadNode, Told, Where } from './session-messages.js';

/** One call of the model, from the response that asks for it to what is told to the model. */
export type Call = {
  /** Under which people know it; the model has a name of its own for it. */
  id: string;
  callId: string;
  tool: string;
  custom: boolean;
  stage: CallStage;
  /** What it does, once that is judged. */
  deed: CallDeed | null;
};
export type CallDeed = {
  kind: CallKind;
  plan: BodyRef;
  shown: BodyRef;
  hash: string;
  title: string;
  where: Where;
  /** The hash of the same outside of the sandbox, when a failure may be tried again there. */
  outside: string | null;
  /** No person was asked for it. */
  auto: boolean;
};
export type CallStage =
  | { name: 'new' }
  | { name: 'ready' }
  /** `fallback`: what the model is told when it is not tried again. */
  | { name: 'waiting'; notified: boolean; fallback: Told | null }
  | { name: 'running'; begunMs: number }
  | { name: 'ended'; output: Told };

export type TaskStage =
  | { name: 'asking'; askedMs: number; deadlineMs: number }
  /** The thread is being summarised. */
  | { name: 'compacting'; askedMs: number; deadlineMs: number }
  | { name: 'pausing'; untilMs: number; itemIds: readonly string[]; compacts: boolean }
  | { name: 'judging' }
  | { name: 'working' };

export type SessionTask = {
  /** The id of the submission that started it. */
  id: string;
  /** It only summarises the thread. */
  compacts: boolean;
  stage: TaskStage;
  /** Which turn of the session is under way, and how often it was asked. */
  turn: number;
  attempt: number;
  /** Of this turn, because of failures. */
  tries: number;
  turns: number;
  calls: Map<string, Call>;
  /** The response that is being worked on. */
  responseId: string | null;
  message: BodyRef | null;
  contextTokens: number;
  /** Nothing was answered since the thread was summarised. */
  justCompacted: boolean;
  /** How much shorter than by our own guess the thread is sent to be summarised. */
  harder: number;
};

export type SessionRun = { status: 'new' } | LiveSession;
export type LiveSession = {
  status: 'open' | 'closed';
  order: SessionOrder;
  title: string;
  task: SessionTask | null;
  nodes: ThreadNode[];
  /** Where the thread is: the place of its last response. */
  head: number | null;
  /** Of a thread that only the provider knows. */
  origin: string | null;
  byResponse: Map<string, number>;
  /** Said since the last response, and not answered yet. */
  pending: NewInput[];
  entries: BodyRef[];
  /** Hashes that need no further answer. */
  approved: Set<string>;
  turns: number;
  calls: number;
  tasks: number;
  contextTokens: number;
  /** How often it was refused for good since the model has answered. */
  refusals: number;
  warned: readonly string[];
  spent: Spent;
  /** Patches that were called off: each is done as a whole or taken back before anything else begins. */
  unsettled: DeedFacts[];
};

export function newSession(order: SessionOrder): LiveSession {
  return {
    ...{ status: 'open', order, title: '', task: null, nodes: [], head: null, origin: null, byResponse: new Map() },
    ...{ pending: [], entries: [], approved: new Set(), turns: 0, calls: 0, tasks: 0, contextTokens: 0, warned: [] },
    ...{ refusals: 0, spent: NOTHING_SPENT, unsettled: [] },
  };
}

export const HARDER_MAX = 3;

/** How hard a summary is begun with, after what was refused. */
export const hardnessOf = ({ refusals }: LiveSession): number => Math.min(refusals, HARDER_MAX);

/** The turn a task is in: the one it asks for, or whose calls are done. */
export const turnOf = ({ stage, turns }: SessionTask): number =>
  stage.name === 'judging' || stage.name === 'working' ? turns : turns + 1;

export const callName = (number: number): string => `call-${number}`;

/** Which call a name was given to; undefined when it is no name of ours. */
export function callNumber(name: string): number | undefined {
  const [, digits] = /^call-([1-9]\d{0,8})$/.exec(name) ?? [];
  return digits === undefined ? undefined : Number(digits);
}

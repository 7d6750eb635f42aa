/**
 * What the world owes a run. One closed list for all machines, so that the engine has one runner per kind and no
 * machine has its own. Effects are derived from state, keyed, done at least once, and ended by an event.
 */

import { addModels, type Figures, type ModelUsage } from './model-usage.js';

/** Prompts, answers and outputs are never inside events and effects: only their address is. */
export type BodyRef = { sha256: string; bytes: number };

/** A request that is put together when it is asked, from facts alone: the same facts give the same text. */
export type Composed = { composer: string; from: object };

/** Ask an agent. `lane` is held from admission until the ask is no longer outstanding. */
export type Ask = {
  type: 'Ask';
  key: string;
  agent: string;
  request: BodyRef | Composed;
  attempt: number;
  deadlineMs: number;
  lane?: string;
  /** The conversation to go on with, when there was one. */
  thread?: string;
  /** Without one: the conversation of another run, to go on with a copy of what had been said by then. */
  copyOf?: ThreadOrigin;
  /** What it had asked for, and may do now once, or may not. */
  verdict?: Verdict;
  /** Ended when nothing was heard of it for so long; signs of life are kept for whoever looks at the task. */
  silence?: { maxMs: number; beat: { run: string; task: string } };
  /** The answer is read as soon as it is there, and what was read is recorded with it. */
  reading?: Reading;
  /** The project that pays, where nobody is admitted before: nobody is asked while its budget of the day is used up. */
  pays?: string;
};
/** What an answer is held against: the same facts and the same answer give the same reading. */
export type Reading = { reader: string; from: object };
/** A conversation of a run as it was at a time. */
export type ThreadOrigin = { run: string; thread: string; untilMs: number };
/** Run a command and keep what it printed. */
export type Exec = { type: 'Exec'; key: string; argv: readonly string[]; cwd: string; deadlineMs: number };
/** Do something that only this machine's own service knows how to do. It can be done again from its beginning. */
export type Perform = { type: 'Perform'; key: string; deed: string; input: object };
/** Come back at a time of the wall clock. */
export type Wake = { type: 'Wake'; key: string; atMs: number };
/** Come back when another run has ended. */
export type Await = { type: 'Await'; key: string; run: string };
/** Give another run a command; it arrives once however often it is sent. */
export type Tell = { type: 'Tell'; key: string; run: string; command: { type: string } };
/**
 * A run that does a part of this one's work: made once, and driven by whoever drives this one, until it has ended. What
 * came of it, it tells by itself. Without `begin` it is not made: one that is not there has ended.
 */
export type Child = { type: 'Child'; key: string; run: string; begin?: { kind: string; command: { type: string } } };
/** Tell the humans that something waits for them. */
export type Notify = { type: 'Notify'; key: string; title: string };
/** Come back when a project may spend again: its day is over, or somebody has raised its budget. */
export type Afford = { type: 'Afford'; key: string; project: string };
/** Wait for a place in a lane; lower ranks first. */
export type Admit = {
  type: 'Admit';
  key: string;
  lane: string;
  rank: number;
  /** Waits while the provider behind the lane is known to be at its limit. */
  patient?: boolean;
  /** So many places there are at least: whoever made the run has said how many may be at work at once. */
  room?: number;
  /** Paths that nobody else may have while this run works. At rest it has none. */
  locks?: PathClaim;
  /** The project that pays. Nobody is admitted while its budget of the day is used up. */
  pays?: string;
};
/** Paths of one repository, or of one of anything that has paths. */
export type PathClaim = { scope: string; resources: readonly string[] };

export type Effect = Ask | Exec | Perform | Wake | Await | Tell | Child | Notify | Afford | Admit;

/** `models`: what of it is known to be of which model. */
export type Usage = Figures & { models?: readonly ModelUsage[] };
export const NO_USAGE: Usage = { inputTokens: 0, outputTokens: 0, costMicroUsd: 0 };

export function addUsage(one: Usage, other: Usage): Usage {
  const models = addModels(one.models, other.models);
  return {
    inputTokens: one.inputTokens + other.inputTokens,
    outputTokens: one.outputTokens + other.outputTokens,
    costMicroUsd: one.costMicroUsd + other.costMicroUsd,
    ...(models.length > 0 && { models }),
  };
}

/** Why an ask brought no answer. What follows from it is the machine's to decide. */
export type FailureKind =
  | 'network'
  | 'limit'
  | 'login'
  | 'auth'
  | 'not-found'
  | 'disk-full'
  /** The folder it works in is not there. */
  | 'workspace'
  | 'timeout'
  | 'crash'
  | 'refused'
  /** What the run may spend was used up while it worked. */
  | 'spent';

/**
 * Something an agent may do only when somebody says so: a command line; whole paths of files, one a line; or a host
 * outside of its sandbox. The hash binds the answer to exactly this.
 */
export type Wanted = {
  kind: 'exec' | 'patch' | 'network';
  what: string;
  cwd: string;
  why: string | null;
  hash: string;
};
/** What was said to it, for whoever goes on. */
export type Verdict = Pick<Wanted, 'kind' | 'hash' | 'what'> & {
  decision: 'approved' | 'denied';
  guidance: string | null;
};

/**
 * What became of an effect, as a command to the run that owed it. `key` names the effect; a machine ignores results
 * of effects it no longer owes.
 */
export type EffectResult = {
  atMs: number;
  key: string;
} /** `request` is what was composed for it. */ /** `thread`: the conversation it came from, by the agent's own name for it. */ & (
  | { type: 'Answered'; answer: BodyRef; usage: Usage; request?: BodyRef; thread?: string; reading?: object }
  /** An ask without an answer; or a deed, or an ask, of which what came cannot be written. */
  | {
      type: 'Failed';
      failure: FailureKind;
      reason: string;
      usage: Usage;
      retryAfterMs?: number;
      request?: BodyRef;
      thread?: string;
    }
  /** It waits for a person: nothing of it runs any more, and its conversation can be gone on with. */
  | { type: 'Asks'; wanted: Wanted; usage: Usage; thread?: string; request?: BodyRef }
  /** The owner died or was fenced while this was under way; its outcome is unknown. */
  | { type: 'Lost'; usage: Usage; thread?: string }
  | { type: 'Executed'; exitCode: number | null; output: BodyRef }
  | { type: 'Performed'; result: object }
  | { type: 'Woke' }
  | { type: 'Ended'; run: string; status: string }
  | { type: 'Told'; accepted: boolean; code?: string }
  | { type: 'Notified' }
  | { type: 'Admitted' }
  /** Instead of being admitted: a budget is used up. */
  | { type: 'Parked'; reason: string; untilMs: number }
  | { type: 'Afforded' }
);

/** Everything the engine needs of the world. Each port has one conformance suite, run against every adapter. */

import type {
  Ask,
  BodyRef,
  Composed,
  Exec,
  FailureKind,
  Notify,
  Perform,
  Reading,
  Usage,
  Wanted,
} from '../core/kernel/effect.js';
import type { InboxKind, InboxQuestion } from '../core/kernel/inbox.js';
import type { RunSummary } from '../core/kernel/run-summary.js';
import type { Scrub, Scrubbed } from './scrub.js';

export type RunId = string;
export type WorkerId = string;
export type Hash = string;

/** An event as it is hashed and stored: `data` is kept byte for byte and never written again from a value. */
export type SealedEvent = {
  seq: number;
  type: string;
  data: Scrubbed;
  at: string;
  actor: string;
  key: string | null;
  hash: Hash;
};
export type SealedBody = { sha256: Hash; bytes: Uint8Array };

export type Append = {
  run: RunId;
  kind: string;
  /** The version the decision was made on; 0 creates the run. */
  expected: number;
  /** Hash of the run's last event before these. */
  prev: Hash;
  events: readonly SealedEvent[];
  bodies: readonly SealedBody[];
  summary: RunSummary;
  /** Questions to people that these events open or close. */
  inbox: { open: readonly InboxQuestion[]; close: readonly string[] };
  /** Only for what the owner alone may write: refused unless the run's epoch is this. */
  fence?: number;
  dedupe?: { scope: string; key: string; payload: Hash; answer: string };
  /** Only when the run is created: its creator owns it at once, with epoch 1, without a second transaction. */
  owner?: WorkerId;
  /** These events leave nothing owed: the run has no owner afterwards (the epoch stays). Only with a fence. */
  handBack?: boolean;
};

export type Appended =
  | { type: 'appended'; version: number; position: number }
  | { type: 'repeated'; answer: string }
  | { type: 'key-reused' }
  | { type: 'conflict'; version: number }
  | { type: 'fenced'; epoch: number };

export type EventRow = {
  position: number;
  run: RunId;
  seq: number;
  type: string;
  data: string;
  at: string;
  actor: string;
  key: string | null;
  epoch: number | null;
  hash: Hash;
};

/** Which event lies where, without what it says. */
export type EventHead = Pick<EventRow, 'position' | 'run' | 'seq'>;

export type Snapshot = { run: RunId; version: number; machineVersion: number; state: string };

export type Loaded = {
  kind: string;
  version: number;
  head: Hash;
  epoch: number;
  owner: WorkerId | null;
  snapshot?: Snapshot;
  /** Events after the snapshot, or after `after` when that is given. */
  tail: readonly EventRow[];
};

/** `previousOwner` is null when the run was handed back or never owned: then nothing of it can be under way. */
export type Claim = { run: RunId; kind: string; epoch: number; previousOwner: WorkerId | null };

export type RunRow = RunSummary & {
  run: RunId;
  kind: string;
  version: number;
  head: Hash;
  epoch: number;
  owner: WorkerId | null;
  createdAt: string;
  updatedAt: string;
};

/** A worker, and the runs it owns with the epoch of each. `beat` moves while it lives; null: only its runs are left. */
export type WorkerRow = {
  worker: WorkerId;
  host: string | null;
  beat: number | null;
  leases: readonly { run: RunId; epoch: number }[];
};

/** Attempts at tasks belong to their ledger: they are listed only for whoever asks for them. */
export const PART_KIND = 'task';

export type RunFilter = {
  /** Absent: all but parts of other runs. */
  kind?: string;
  /** These as well, for whoever must see every run there is. */
  parts?: true;
  status?: string;
  agent?: string;
  project?: string;
  /** Full-text search over titles and texts. */
  search?: string;
  /** Continue behind this cursor of an earlier page. */
  after?: string;
  limit: number;
};

export type InboxRow = {
  item: number;
  run: RunId;
  key: string;
  kind: InboxKind;
  title: string;
  question: string;
  expiresAtMs: number | null;
  askedAt: string;
  answeredAt: string | null;
};

export type BatchRow = { batch: number; firstPosition: number; events: number; digest: Hash; hash: Hash };

export interface EventStore {
  /** A group is all or none; groups of one tick share a commit and fail alone. Resolves when the bytes are durable. */
  append(group: readonly Append[]): Promise<readonly Appended[]>;
  /** What was answered to this key, so that a repeat is recognised before it is decided again. */
  recorded(scope: string, key: string): Promise<{ payload: Hash; answer: string } | undefined>;
  /** Undefined when there is no such run. */
  load(run: RunId, after?: number): Promise<Loaded | undefined>;
  /** Events of all runs behind a position, gapless and in order. */
  feed(after: number, limit: number): Promise<readonly EventRow[]>;
  /**
   * The same without what they say, for whoever only follows. Fewer than asked for does not mean that it was the last;
   * none does.
   */
  feedHeads(after: number, limit: number): Promise<readonly EventHead[]>;
  /** Events of one run behind a sequence number. */
  events(run: RunId, after: number, limit: number): Promise<readonly EventRow[]>;
  /** The same for whoever follows it. Fewer than asked for does not mean that it was the last; none does. */
  nextEvents(run: RunId, after: number, limit: number): Promise<readonly EventRow[]>;
  /** Commits behind a batch number, in order: the chain that fixes every event's position. */
  batches(after: number, limit: number): Promise<readonly BatchRow[]>;
  /** The last position committed. */
  position(): Promise<number>;
  /** Called after commits of this process and of others; may be called more often than needed, never less. */
  onCommit(wake: (position: number) => void): () => void;

  /**
   * Makes the worker the owner of runs that owe something or whose time has come, and that nobody alive owns, and of all
   * runs of a dead worker, which may have left something running; epoch + 1.
   * With `run` only that one, whatever it owes, and also when the worker owns it already.
   */
  claim(worker: WorkerId, which: { run?: RunId; nowMs: number; limit: number }): Promise<readonly Claim[]>;
  /** Gives a run back; nothing happens when the epoch is no longer this one. */
  release(run: RunId, epoch: number): Promise<void>;
  /** Every run the worker owns: an acknowledgement may be lost, so a worker looks whether it owns more than it knows. */
  ownedBy(worker: WorkerId): Promise<readonly RunId[]>;
  /** When the next run's time comes that nobody owns, or null. */
  nextWake(): Promise<number | null>;

  /** Announces a worker and takes its liveness lock, which is free again the moment the process is dead. */
  enlist(worker: WorkerId, host: string): Promise<void>;
  beat(worker: WorkerId): Promise<void>;
  discharge(worker: WorkerId): Promise<void>;
  /** Every worker that is enlisted or still owns a run, for people who look; nothing is decided by it. */
  workers(): Promise<readonly WorkerRow[]>;
  /** Whether a worker is seen to be dead; one that cannot be looked at may be alive. For people who look; nothing is decided by it. */
  isGone(worker: WorkerId): Promise<boolean>;

  /** Somebody was heard to work on a task. Only the last time is kept; an earlier one changes nothing. */
  hear(run: RunId, task: string, atMs: number): Promise<void>;
  /** When each task of a run was heard of last. */
  heard(run: RunId): Promise<ReadonlyMap<string, number>>;

  run(run: RunId): Promise<RunRow | undefined>;
  runs(filter: RunFilter): Promise<{ items: readonly RunRow[]; next: string | null }>;
  inbox(filter: { open: boolean; after?: number; limit: number }): Promise<readonly InboxRow[]>;
  body(sha256: Hash): Promise<Uint8Array | undefined>;
  saveSnapshot(snapshot: Snapshot, epoch: number): Promise<void>;
  close(): Promise<void>;
}

export interface Clock {
  /** Wall time, for stamps and durable deadlines. */
  nowMs(): number;
  /** Never goes back and never jumps, for waiting. */
  monotonicMs(): number;
  /** Calls once after so many milliseconds; returns what cancels it. */
  after(delayMs: number, call: () => void): () => void;
}

export interface Ids {
  uuid(): string;
  /** In [0, 1), for jitter. */
  random(): number;
}

export type AskOutcome =
  | { type: 'answered'; text: string; usage: Usage; thread?: string }
  | { type: 'failed'; failure: FailureKind; reason: string; usage: Usage; retryAfterMs?: number; thread?: string }
  /** It was ended, or ended by itself, because it may not go on without a person. */
  | { type: 'asks'; wanted: Wanted; usage: Usage; thread?: string };

/** What became of an attempt that nobody saw the end of. */
export type Left = Usage & { thread?: string };

/** One process that was let through the gate. `started` and `pidNamespace` tell it from a later one with its number. */
export type ProcessRow = {
  run: RunId;
  handoff: string;
  attempt: number;
  worker: WorkerId;
  pid: number;
  started: string;
  pidNamespace: string | null;
};
export type ProcessKey = Pick<ProcessRow, 'run' | 'handoff' | 'attempt' | 'pid'>;

/** A run as its owner holds it. Whoever starts something for it proves with the epoch that it still does. */
export type Held = { run: RunId; epoch: number };

export interface Agents {
  /** Whose limits and whose loss concern the agent, as others may share it; by default it has one of its own. */
  loginOf?(agent: string): Promise<string>;
  /** Asks once. Aborting the signal must end everything the ask started before the promise settles. */
  ask(held: Held, ask: Ask, request: Uint8Array, signal: AbortSignal): Promise<AskOutcome>;
  /**
   * Ends whatever an earlier owner may have left running for an ask or a command, or for the whole run; says what the
   * attempt had already spent, and which conversation it had begun.
   */
  endLeftover(run: RunId, key?: string, attempt?: number): Promise<Left>;
  /** When an agent of a run last gave a sign of life, on the clock that never jumps. */
  lastSignMs?(run: RunId): number | undefined;
}

export interface Commands {
  execute(held: Held, exec: Exec, signal: AbortSignal): Promise<{ exitCode: number | null; output: string }>;
}

/** What single machines know how to do in the world, by the name of the deed. */
export interface Deeds {
  /** Does it from its beginning, however far an earlier try came. Aborting ends everything it started before it settles. */
  perform(
    held: Held,
    effect: Perform,
    signal: AbortSignal,
  ): Promise<{ result: object; bodies?: readonly SealedBody[] }>;
}

/** Puts requests together, by the name of the composer. The same facts and bodies give the same text. */
export interface Composers {
  compose(run: RunId, request: Composed): Promise<string>;
}

/** Reads answers, by the name of the reader. The same facts, bodies and answer give the same reading. */
export interface Readers {
  read(
    reading: Reading,
    answer: { text: string; ref: BodyRef; atMs: number },
  ): Promise<{ reading: object; bodies: readonly SealedBody[] }>;
}

export interface Notifier {
  notify(run: RunId, notice: Notify): Promise<void>;
}

export interface Hasher {
  sha256(data: string | Uint8Array): Hash;
}

export type Ports = {
  store: EventStore;
  clock: Clock;
  ids: Ids;
  hasher: Hasher;
  agents: Agents;
  commands: Commands;
  deeds: Deeds;
  composers: Composers;
  readers: Readers;
  notifier: Notifier;
  /** Replaces secrets in text and in values; the only maker of `Scrubbed`. */
  scrub: Scrub;
  log: (level: 'info' | 'warn' | 'error', message: string, fields?: Record<string, unknown>) => void;
};

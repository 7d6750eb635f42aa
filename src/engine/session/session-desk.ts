import type { SessionEvent as EventContract } from '../../contracts/generated/types/event.js';
import type { Submission } from '../../contracts/generated/types/submission.js';
import type { Role } from '../../core/access/role.js';
import type { RunId } from '../ports.js';
import type { Origin } from '../seal.js';

/** What a client is sent. Without `seq` it is for this client alone, or only streamed. */
export type WireEvent = EventContract;

/** Who speaks on a connection. `client`: messages of one client with the same id are one message. */
export type SessionCaller = {
  actor: string;
  role: Role;
  /** The agent that its token acts for. */
  agent: string | null;
  client: string;
  /** It runs on this machine as this user. */
  isLocal: boolean;
};

/**
 * A part of the stored events: `next` is the seq behind which to go on, also when nothing in it is for clients. `isRest`: there
 * was nothing behind it.
 */
export type EventPage = { events: readonly WireEvent[]; next: number; isRest: boolean };

/** A session was set up: `seq` is that of its `session_configured`. What comes back is for this client alone. */
export type SetUp = { session: RunId; seq: number; replies: readonly WireEvent[] };

/** What connections need of sessions. Every method throws a BatonError for what is refused. */
export interface SessionDesk {
  /**
   * Makes a session, sets up the one that is given anew, or takes up the one that `resume_from` names. With `key` a
   * session is made once, however often it is asked for.
   */
  configure(submission: Submission, caller: SessionCaller, session: RunId | null, key?: Origin['key']): Promise<SetUp>;
  /** Every other op of a session. Resolves when it is durable; what comes back is for this client alone. */
  submit(session: RunId, submission: Submission, caller: SessionCaller): Promise<readonly WireEvent[]>;
  /** `session_configured` as it is now, for whoever attaches. */
  describe(session: RunId): Promise<WireEvent['msg']>;
  /** The seq of its last row, whether that is for clients or not. */
  place(session: RunId): Promise<number>;
  /** Durable events with a higher seq, in order, as clients see them. */
  events(session: RunId, after: number, limit: number): Promise<EventPage>;
  /** The same for whoever follows it: a page may end early without being the rest. */
  nextEvents(session: RunId, after: number, limit: number): Promise<EventPage>;
  /** Calls after every event of the session, with its seq where that is known. */
  watch(session: RunId, call: (seq?: number) => void): () => void;
  /** Calls with what is only streamed: first what is open so far, from offset 0, then every piece as it comes. */
  live(session: RunId, call: (event: WireEvent) => void): () => void;
}

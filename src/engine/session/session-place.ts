import type { SessionOrder } from '../../core/session/session-messages.js';
import type { Baton } from '../opened-baton.js';
import type { EventStore, RunId } from '../ports.js';
import type { SessionClient } from './session-client.js';
import type { EventPage } from './session-desk.js';

/** Sessions as a terminal uses them, in this process or through a server. */
export type SessionPlace = {
  store: Pick<EventStore, 'run' | 'runs' | 'events'>;
  inbox: Pick<Baton['inbox'], 'open'>;
  /** `tell` is given words about the way there, for whoever waits. */
  connect(tell: (words: string, isReached: boolean) => void): Promise<SessionClient>;
  orderOf(session: RunId): Promise<SessionOrder>;
  /** A text that an event of the session names. */
  textOf(session: RunId, sha256: string): Promise<string>;
  eventsOf(session: RunId, after: number, limit: number): Promise<EventPage>;
  /** Folders and files are those of another machine. */
  isFar: boolean;
  close(): Promise<void>;
};

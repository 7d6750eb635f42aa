import type { Baton } from '../../engine/opened-baton.js';
import type { SessionPlace } from '../../engine/session/session-place.js';
import { connectInProcess } from '../../transports/in-process.js';
import type { Parsed } from '../command.js';
import type { Io } from '../io.js';
import { hostOptions } from './host-options.js';

/** Opened in this process, or a server's. */
export type OpenSessions = () => Promise<{ baton: Baton } | { server: SessionPlace }>;
/** A command that works with sessions of this process and with those of a server alike. */
export type SessionCommand = (parsed: Parsed, io: Io, open: OpenSessions) => Promise<number>;

/** Closed whatever happens inside. */
export async function atSessions<T>(open: OpenSessions, io: Io, work: (place: SessionPlace) => Promise<T>): Promise<T> {
  const opened = await open();
  const place = 'server' in opened ? opened.server : sessionsHere(opened.baton, io);
  try {
    return await work(place);
  } finally {
    await place.close();
  }
}

function sessionsHere(baton: Baton, io: Io): SessionPlace {
  const { store, inbox, sessions } = baton;
  return {
    ...{ store, inbox, isFar: false },
    connect: async () => connectInProcess(hostOptions(baton, io)),
    orderOf: async (session) => (await sessions.state(session)).order,
    textOf: (session, sha256) => baton.body(session, sha256),
    eventsOf: (session, after, limit) => sessions.events(session, after, limit),
    close: () => baton.close(),
  };
}

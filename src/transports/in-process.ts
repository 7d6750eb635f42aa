import type { SessionClient } from '../engine/session/session-client.js';
import { EventQueue } from './event-queue.js';
import { type HostOptions, SessionHost } from './session-host.js';

/** A client in the same process: no bytes in between, and the same rules. */
export function connectInProcess(options: HostOptions): SessionClient {
  const host = new SessionHost(options);
  const events = new EventQueue();
  const end = () => events.end();
  const connection = host.enter({ isLocal: true, send: (event) => events.add(event), close: end, cut: end });
  if (!connection) throw new Error('the first connection of a host was refused');
  return {
    events,
    submit: (submission) => connection.take(JSON.stringify(submission)),
    sendLine: (line) => connection.take(line),
    end: () => void connection.end(),
    close: () => host.close(),
  };
}

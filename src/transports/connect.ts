import type { SessionClient } from '../engine/session/session-client.js';
import { type Place, parseAddress } from './address.js';

/** How a client of a transport connects; the token is shown along with the connection where that is possible. */
export type Connect = (place: Place, token: string | undefined) => Promise<SessionClient>;

const TRANSPORTS: Readonly<Record<Place['scheme'], () => Promise<Connect>>> = {
  tcp: async () => (await import('./connect-stream.js')).connectSocket,
  unix: async () => (await import('./connect-stream.js')).connectSocket,
  h2: async () => (await import('./connect-stream.js')).connectHttp2,
  ws: async () => (await import('./connect-websocket.js')).connectWebSocket,
  grpc: async () => (await import('./connect-grpc.js')).connectGrpc,
};

/** Opens a session's client at an address as `listen` prints it. Without a token nothing is shown: the caller does. */
export async function connect(address: string, token?: string): Promise<SessionClient> {
  const place = parseAddress(address);
  const open = await TRANSPORTS[place.scheme]();
  return open(place, token);
}

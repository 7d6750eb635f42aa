import { BatonError } from '../contracts/shared/errors.js';
import { type Place, parseAddress } from './address.js';
import { type HostOptions, SessionHost } from './session-host.js';

export type Listening = {
  /** With the port that was really taken. */
  address: string;
  close(): Promise<void>;
};

/** How a transport begins to listen; resolves with the address to print. */
export type Listen = (place: Place, host: SessionHost) => Promise<Listening>;

/** Each is loaded when it is asked for: two of them bring large packages along. */
const TRANSPORTS: Readonly<Record<Place['scheme'], () => Promise<Listen>>> = {
  tcp: async () => (await import('./tcp.js')).listenTcp,
  unix: async () => (await import('./unix.js')).listenUnix,
  ws: async () => (await import('./websocket.js')).listenWebSocket,
  h2: async () => (await import('./http2.js')).listenHttp2,
  grpc: async () => (await import('./grpc.js')).listenGrpc,
};

/** Serves sessions at `tcp://H:P`, `unix:PATH`, `ws://H:P`, `h2://H:P` or `grpc://H:P`. Port 0 takes a free one. */
export async function listen(address: string, options: HostOptions): Promise<Listening> {
  const place = parseAddress(address);
  const host = new SessionHost(options);
  try {
    const start = await TRANSPORTS[place.scheme]();
    const listening = await start(place, host);
    return {
      address: listening.address,
      async close() {
        host.close();
        await listening.close();
      },
    };
  } catch (failure) {
    host.close();
    throw failure instanceof BatonError ? failure : listenProblem(failure as NodeJS.ErrnoException, address);
  }
}

function listenProblem({ code, message }: NodeJS.ErrnoException, address: string): BatonError {
  const reason = code === 'EADDRINUSE' ? `somebody else listens at ${address}` : `${address}: ${message}`;
  return new BatonError('USAGE', reason, { address });
}

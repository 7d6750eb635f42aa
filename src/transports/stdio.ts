import type { Readable, Writable } from 'node:stream';
import { type Served, serveStream } from './serve-stream.js';
import { type HostOptions, SessionHost } from './session-host.js';

export type ServedStdio = {
  /** Resolves at the end of the input, or when the session was shut down. */
  served: Promise<Served>;
  /** Lets the other side go: nothing more is sent. */
  close(): Promise<void>;
};

/** Serves whoever started this program. */
export function serveStdio(options: HostOptions, input: Readable, output: Writable): ServedStdio {
  const host = new SessionHost(options);
  const serve = async (): Promise<Served> => {
    const served = await serveStream(host, { input, output, isLocal: true, keepsOutput: true });
    host.close();
    if (!output.destroyed) await new Promise<void>((resolve) => output.write('', () => resolve()));
    return served;
  };
  return { served: serve(), close: async () => host.close() };
}

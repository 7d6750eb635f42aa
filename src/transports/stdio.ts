import type { Readable, Writable } from 'node:stream';
import { type Served, serveStream } from './serve-stream.js';
import { type HostOptions, SessionHost } from './session-host.js';

/** Serves whoever started this program. Resolves at the end of its input, or when its session was shut down. */
export async function serveStdio(options: HostOptions, input: Readable, output: Writable): Promise<Served> {
  const host = new SessionHost(options);
  const served = await serveStream(host, { input, output, isLocal: true, keepsOutput: true });
  host.close();
  if (!output.destroyed) await new Promise<void>((resolve) => output.write('', () => resolve()));
  return served;
}

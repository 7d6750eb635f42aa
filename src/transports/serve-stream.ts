import type { Readable, Writable } from 'node:stream';
import type { RunId } from '../engine/ports.js';
import type { WireEvent } from '../engine/session/session-desk.js';
import { eventLine } from './event-line.js';
import { LineReader } from './line-reader.js';
import type { SessionHost } from './session-host.js';
import { WritableRoom } from './writable-room.js';

export type StreamPeer = {
  input: Readable;
  output: Writable;
  bearer?: string | undefined;
  isLocal?: boolean;
  /** The output is not ours to end. */
  keepsOutput?: boolean;
};

/** The session that the client was in when it left. */
export type Served = { session: RunId | null };

/** Serves one client over bytes, one JSON object a line both ways. Resolves when it is gone. */
export async function serveStream(host: SessionHost, peer: StreamPeer): Promise<Served> {
  const { input, output } = peer;
  const { closed, ...ends } = endsOf(peer);
  const room = new WritableRoom(output);
  const send = (event: WireEvent) => room.write(eventLine(event));
  const connection = await host.connect({ bearer: peer.bearer, isLocal: peer.isLocal ?? false, send, ...ends });
  if (!connection) {
    input.resume();
    return { session: null };
  }
  output.once('close', () => host.leave(connection));
  const reader = new LineReader();
  try {
    // Its end is not that of the output, even where both are one stream.
    for await (const chunk of input.iterator({ destroyOnReturn: false }) as AsyncIterable<Uint8Array>) {
      for (const line of reader.push(chunk)) await connection.take(line);
    }
    for (const line of reader.end()) await connection.take(line);
  } catch {
    // Reading broke off; what was read whole has been handled.
  }
  const { session } = connection;
  await Promise.race([connection.end(), closed]);
  host.leave(connection);
  return { session };
}

function endsOf({ input, output, keepsOutput }: StreamPeer): { closed: Promise<void>; cut(): void; close(): void } {
  const cut = () => {
    input.destroy();
    if (!keepsOutput) output.destroy();
  };
  // A peer that vanishes is no failure of ours: the stream closes, and that is seen.
  input.on('error', cut);
  output.on('error', () => {
    input.destroy();
    output.destroy();
  });
  return {
    closed: new Promise((resolve) => output.once('close', resolve)),
    cut,
    // What still comes is read and thrown away: to stop reading would cost the other side what it has not read yet.
    close: () => void (keepsOutput ? input.destroy() : output.end()),
  };
}

import type { Readable, Writable } from 'node:stream';
import { type BatonError, isBatonError } from '../../contracts/shared/errors.js';
import type { SessionClient } from '../../engine/session/session-client.js';
import { errorEvent } from '../../engine/session/session-connection.js';
import type { WireEvent } from '../../engine/session/session-desk.js';
import { eventLine } from '../../transports/event-line.js';
import { LineReader } from '../../transports/line-reader.js';
import { WritableRoom } from '../../transports/writable-room.js';
import { endOfInput } from './end-of-input.js';

/**
 * Lines of a program to a client of sessions, and its events back. Resolves at the end of the input, when a task that
 * runs was interrupted and its end was told, or when the session is over.
 */
export async function relayStdio(client: SessionClient, input: Readable, output: Writable): Promise<void> {
  const room = new WritableRoom(output);
  const tell = async (event: WireEvent): Promise<void> => void (await room.write(eventLine(event)));
  const end = endOfInput();
  let isRead = false;
  const reading = readAll(client, input, tell).then(() => {
    isRead = true;
    return client.submit(end);
  });
  reading.catch(() => client.close()); // the input broke off: nothing more is to be expected of it
  for await (const event of client.events) {
    const { id, seq, msg } = event;
    // Nothing ran, or there was no session to interrupt.
    if (id === end.id && seq === undefined) break;
    await tell(event);
    if (isRead && seq !== undefined && msg.type === 'error' && msg.code === 'INTERRUPTED') break;
  }
  client.end();
}

async function readAll(client: SessionClient, input: Readable, tell: (event: WireEvent) => Promise<void>) {
  const reader = new LineReader();
  const send = async (line: Uint8Array | BatonError): Promise<void> => {
    if (isBatonError(line)) await tell(errorEvent('', line));
    else await client.sendLine(line);
  };
  for await (const chunk of input.iterator({ destroyOnReturn: false }) as AsyncIterable<Uint8Array>) {
    for (const line of reader.push(chunk)) await send(line);
  }
  for (const line of reader.end()) await send(line);
}

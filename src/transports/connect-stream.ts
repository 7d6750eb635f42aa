import { connect as connectH2 } from 'node:http2';
import { createConnection } from 'node:net';
import type { Duplex, Readable, Writable } from 'node:stream';
import { BatonError } from '../contracts/shared/errors.js';
import type { SessionClient } from '../engine/session/session-client.js';
import type { WireEvent } from '../engine/session/session-desk.js';
import { type NetPlace, type Place, urlOf } from './address.js';
import { WritableRoom } from './writable-room.js';

export async function connectSocket(place: Place, token: string | undefined): Promise<SessionClient> {
  const where = place.scheme === 'unix' ? { path: place.path } : { host: place.host, port: place.port };
  const socket = createConnection({ ...where, noDelay: true, allowHalfOpen: true } as never);
  await opened(socket, 'connect');
  const client = streamClient({ input: socket, output: socket });
  // What authenticates is a message like any other here, and so is its answer.
  if (token !== undefined) await client.submit({ id: 'authenticate', op: { type: 'authenticate', token } });
  return client;
}

export async function connectHttp2(place: Place, token: string | undefined): Promise<SessionClient> {
  const session = connectH2(urlOf('http', place as NetPlace));
  await opened(session, 'connect');
  session.on('error', () => session.destroy());
  const stream = session.request({
    ...{ ':method': 'POST', ':path': '/session', 'content-type': 'application/x-ndjson' },
    ...(token !== undefined && { authorization: `Bearer ${token}` }),
  });
  stream.once('close', () => session.close());
  await opened(stream, 'response');
  const client = streamClient({ input: stream, output: stream });
  return {
    ...client,
    close() {
      client.close();
      session.destroy();
    },
  };
}

type Openable = {
  once(event: string, call: (told: unknown) => void): unknown;
  off(event: string, call: (told: unknown) => void): unknown;
};

function opened(what: Openable, event: string): Promise<void> {
  return new Promise((resolve, reject) => {
    what.once('error', reject);
    what.once(event, () => {
      what.off('error', reject);
      resolve();
    });
  });
}

/** A client over any stream of bytes, such as a program's standard input and output. */
export function streamClient({ input, output }: { input: Readable; output: Writable }): SessionClient {
  const room = new WritableRoom(output);
  for (const stream of new Set<Readable | Writable>([input, output])) stream.on('error', () => stream.destroy());
  const write = async (line: string | Uint8Array) => {
    await room.write(line);
    await room.write('\n');
  };
  return {
    submit: (submission) => write(JSON.stringify(submission)),
    sendLine: write,
    events: eventsIn(input),
    end: () => void output.end(),
    close() {
      input.destroy();
      (output as Duplex).destroy();
    },
  };
}

/** Nothing is read before it is asked for, so whoever does not ask holds up only itself. */
async function* eventsIn(input: Readable): AsyncGenerator<WireEvent> {
  let rest = '';
  input.setEncoding('utf8');
  try {
    for await (const text of input as AsyncIterable<string>) {
      const lines = (rest + text).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) yield JSON.parse(line) as WireEvent;
    }
  } catch (failure) {
    if (failure instanceof SyntaxError) throw new BatonError('PARSE_ERROR', 'what the other side sent is not JSON');
    // It broke off: whoever wants to know more attaches again behind the last event.
  }
}

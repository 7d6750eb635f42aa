import { logVerbosity, Server, ServerCredentials, type ServerDuplexStream, setLogVerbosity } from '@grpc/grpc-js';
import { LINE_BYTES_MAX } from '../engine/session/read-submission.js';
import type { WireEvent } from '../engine/session/session-desk.js';
import { addressOf, hostAndPort, type NetPlace, type Place } from './address.js';
import { bearerOf } from './bearer.js';
import type { Listening } from './listen.js';
import type { SessionHost } from './session-host.js';
import { type EventMessage, type SubmissionMessage, sessionService } from './session-proto.js';
import { WritableRoom } from './writable-room.js';

/** A message above the limit is refused as such; one above this ends the call (RESOURCE_EXHAUSTED). */
const MESSAGE_BYTES_MAX = 2 * LINE_BYTES_MAX;

export async function listenGrpc(place: Place, host: SessionHost): Promise<Listening> {
  const net = place as NetPlace;
  // What goes wrong is told by us, and standard error is not the library's.
  setLogVerbosity(logVerbosity.NONE);
  const server = new Server({ 'grpc.max_receive_message_length': MESSAGE_BYTES_MAX, 'grpc.keepalive_time_ms': 30_000 });
  server.addService(await sessionService(), {
    Connect: (call: Call) => void serveCall(host, call),
  });
  const port = await new Promise<number>((resolve, reject) => {
    const credentials = ServerCredentials.createInsecure();
    server.bindAsync(hostAndPort(net.host, net.port), credentials, (failure, bound) =>
      failure ? reject(failure) : resolve(bound),
    );
  });
  return { address: addressOf({ ...net, port }), close: async () => server.forceShutdown() };
}

type Call = ServerDuplexStream<SubmissionMessage, EventMessage>;

async function serveCall(host: SessionHost, call: Call): Promise<void> {
  const room = new WritableRoom(call);
  const gone = new Promise<void>((resolve) => call.once('cancelled', resolve));
  call.on('error', () => {});
  const connection = await host.connect({
    bearer: bearerOf(call.metadata.get('authorization')[0]?.toString()),
    send: (event) => (call.cancelled ? undefined : room.write(messageOf(event))),
    close: () => void call.end(),
    cut: () => void call.destroy(),
  });
  if (!connection) return;
  void gone.then(() => host.leave(connection));
  try {
    const messages = call.iterator({ destroyOnReturn: false }) as AsyncIterable<SubmissionMessage>;
    for await (const { id = '', op = '' } of messages) {
      await connection.take({ id, op });
    }
  } catch {
    // The call was ended from the other side.
  }
  await Promise.race([connection.end(), gone]);
  host.leave(connection);
}

function messageOf({ id, seq, msg }: WireEvent): EventMessage {
  return { id, ...(seq !== undefined && { seq }), msg: JSON.stringify(msg) };
}

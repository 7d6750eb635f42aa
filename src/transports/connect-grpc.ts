import { type ClientDuplexStream, credentials, Metadata, makeGenericClientConstructor } from '@grpc/grpc-js';
import type { SessionClient } from '../engine/session/session-client.js';
import type { WireEvent } from '../engine/session/session-desk.js';
import { hostAndPort, type NetPlace, type Place } from './address.js';
import { type EventMessage, type SubmissionMessage, sessionService } from './session-proto.js';
import { WritableRoom } from './writable-room.js';

type Call = ClientDuplexStream<SubmissionMessage, EventMessage>;

export async function connectGrpc(place: Place, token: string | undefined): Promise<SessionClient> {
  const { host, port } = place as NetPlace;
  const Client = makeGenericClientConstructor(await sessionService(), 'Session');
  const client = new Client(hostAndPort(host, port), credentials.createInsecure());
  const metadata = new Metadata();
  if (token !== undefined) metadata.set('authorization', `Bearer ${token}`);
  const call = (client.Connect as (metadata: Metadata) => Call).call(client, metadata);
  // How a call ended is its status; that it ended is seen by whoever reads its events.
  call.on('error', () => {});
  const room = new WritableRoom(call);
  return {
    events: eventsIn(call, () => client.close()),
    submit: async (submission) => void (await room.write(messageOf(JSON.stringify(submission)))),
    sendLine: async (line) => void (await room.write(messageOf(Buffer.from(line).toString()))),
    end: () => void call.end(),
    close() {
      call.cancel();
      client.close();
    },
  };
}

async function* eventsIn(call: Call, onEnd: () => void): AsyncGenerator<WireEvent> {
  try {
    for await (const { id = '', seq, msg = '{}' } of call as AsyncIterable<EventMessage>) {
      yield { id, ...(seq !== undefined && { seq }), msg: JSON.parse(msg) };
    }
  } catch {
    // It broke off: whoever wants to know more attaches again behind the last event.
  } finally {
    onEnd();
  }
}

/** What is no object with an id and an op goes as an op that the other side refuses. */
function messageOf(line: string): SubmissionMessage {
  try {
    const { id, op } = JSON.parse(line) as { id?: unknown; op?: unknown };
    if (op !== undefined) return { id: typeof id === 'string' ? id : '', op: JSON.stringify(op) };
  } catch {
    // Not JSON at all.
  }
  return { id: '', op: line };
}

import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { BatonError } from '../../contracts/shared/errors.js';
import type { Baton } from '../../engine/opened-baton.js';
import type { SessionCaller } from '../../engine/session/session-desk.js';
import { bearerOf } from '../../transports/bearer.js';
import { refuseUpgrade } from '../../transports/refuse-upgrade.js';
import { type OwnAddress, visitorProblem } from '../../transports/same-site.js';
import type { SessionSockets } from '../../transports/websocket.js';
import type { Access } from '../guard/access.js';
import type { ServerLog } from '../log/server-log.js';

const PATH = /^\/api\/v1\/sessions(?:\/([A-Za-z0-9][A-Za-z0-9._-]{0,99}))?\/ws(?:\?.*)?$/;

type Around = { baton: Baton; access: Access; log: ServerLog; address(): OwnAddress };

/**
 * Sessions over WebSocket, on the server's own address. Whoever names a session in the path and shows a token in the
 * header is attached to it at once; everybody else says so in the first messages.
 */
export function serveSessionSockets(server: Server, around: Around): () => Promise<void> {
  let opening: Promise<SessionSockets> | undefined;
  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    socket.on('error', () => socket.destroy());
    const found = PATH.exec(request.url ?? '');
    const problem = upgradeProblem(request, around, found !== null);
    if (problem) return refuseUpgrade(socket, problem);
    opening ??= openSockets(around);
    opening.then(
      (sockets) => sockets.upgrade(request, socket, head, found?.[1] ?? null),
      (failure: unknown) => {
        around.log.problem(failure, {});
        socket.destroy();
      },
    );
  });
  return async () => (await opening?.catch(() => undefined))?.close();
}

/** What is there is told only to who may look, as everywhere. */
function upgradeProblem(request: IncomingMessage, { access, address }: Around, isThere: boolean) {
  const problem = visitorProblem(request, [address()]);
  if (problem || isThere) return problem;
  const token = bearerOf(request.headers.authorization);
  if (token === undefined || !access.identify(token)) {
    return new BatonError('UNAUTHENTICATED', 'an upgrade without a token that counts');
  }
  return new BatonError('ROUTE_NOT_FOUND', `there is nothing to upgrade at ${request.url}`);
}

/** Loaded with the first of them. */
async function openSockets({ baton, access, log }: Around): Promise<SessionSockets> {
  const { SessionSockets: Sockets } = await import('../../transports/websocket.js');
  const callerOf = (token: string): SessionCaller | null => {
    const who = access.identify(token);
    return who ? { actor: who.name, role: who.role, agent: who.agent, client: '', isLocal: false } : null;
  };
  return new Sockets({
    desk: baton.sessions,
    authenticate: async (token) => callerOf(token),
    local: { actor: 'nobody', role: 'viewer', agent: null, client: '', isLocal: false },
    onTokensChanged: (call) => access.onChange(call),
    onFailure: (failure) => log.problem(failure, {}),
  });
}

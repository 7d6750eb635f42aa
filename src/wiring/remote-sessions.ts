/** Sessions of a server, as a terminal uses them. */

import { randomUUID } from 'node:crypto';
import { createClient } from '../client/create-client.js';
import { BatonError } from '../contracts/shared/errors.js';
import { sessionDecider } from '../core/session/session-decider.js';
import type { LiveSession } from '../core/session/session-state.js';
import { Machines } from '../engine/machines.js';
import type { SessionClient } from '../engine/session/session-client.js';
import type { SessionPlace } from '../engine/session/session-place.js';
import { isLoopback, type Reached } from '../remote/find-server.js';
import { Pulse } from '../remote/pulse.js';
import { remoteInbox } from '../remote/remote-inbox.js';
import { RemoteRuns } from '../remote/remote-runs.js';
import { RemoteStore } from '../remote/remote-store.js';
import { connectLasting } from '../transports/lasting-client.js';

const WAY = { lost: 'does not answer. Its sessions are safe; trying again until it does.', back: 'answers again.' };

export function remoteSessions({ url, token }: Reached): SessionPlace {
  const client = createClient({ url, token });
  const pulse = new Pulse(client, () => {});
  const store = new RemoteStore(client, pulse);
  const runs = new RemoteRuns({ client, store, pulse, machines: new Machines().add(sessionDecider) }, 'watch');
  return {
    ...{ store, inbox: remoteInbox(client), isFar: !isLoopback(new URL(url)) },
    connect: (tell) =>
      connectLasting({
        open: () => open(url, token),
        client: `cli-${randomUUID()}`,
        onState: (state) => tell(`${url} ${WAY[state]}`, state === 'back'),
      }),
    orderOf: async (session) => ((await runs.stateOf('session', session)) as LiveSession).order,
    textOf: async (session, sha256) => (await client.body(session, sha256)).text,
    async eventsOf(session, after, limit) {
      const { items, next } = await client.sessions.eventPage(session, { after, limit });
      const last = items.at(-1)?.seq ?? after;
      return { events: items, next: next === null ? last : Number(next), isRest: next === null };
    },
    close: async () => pulse.end(),
  };
}

async function open(url: string, token: string): Promise<SessionClient> {
  const { openWebSocket } = await import('../transports/connect-websocket.js');
  try {
    return await openWebSocket(`${url.replace(/^http/, 'ws')}/api/v1/sessions/ws`, token);
  } catch (failure) {
    const why = failure instanceof Error ? failure.message || String(failure) : String(failure);
    throw new BatonError('SERVER_UNREACHABLE', `the server did not answer: ${why}`);
  }
}

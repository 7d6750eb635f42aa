/** What bridges need of the world: their folder, and the orchestrators they start. */

import type { BridgeService } from '../engine/bridge/bridge-service.js';
import type { RequestSources } from '../engine/bridge/read-request.js';
import type { Engine } from '../engine/engine.js';
import type { Baton } from '../engine/opened-baton.js';
import type { Home } from '../engine/opened-home.js';
import type { Deeds, Ports } from '../engine/ports.js';
import type { Gate } from '../sandbox/process-rows.js';
import { lazily } from './lazily.js';

type Who = Pick<RequestSources, 'knowsAgent' | 'isPerson'>;

function profilesIn(home: string): RequestSources['profile'] {
  return async (name) => (await import('../settings/bridge-profiles.js')).profileNamed(home, name);
}

type Parts = Who & {
  home: Home;
  gate: Gate;
  env: Readonly<Record<string, string | undefined>>;
  log(): Ports['log'];
};

/** Loaded with the first bridge of this process. */
export function bridgeParts({ home, gate, env, log, ...who }: Parts): { deeds: Deeds; handlers: Baton['handlers'] } {
  const handlers: Baton['handlers'] = new Map();
  const { store, scrub, hasher } = home;
  const deeds = lazily(async () => {
    const [{ createHandlerDeeds }, { bridgeFolder }] = await Promise.all([
      import('../handler/create-handler-deeds.js'),
      import('../handler/bridge-folder.js'),
    ]);
    const ports = { scrub, hasher, log: log() };
    return createHandlerDeeds({
      ...{ store, ports, gate, env, handlers, profile: profilesIn(home.folder), folder: bridgeFolder },
      ...who,
    });
  });
  return { handlers, deeds: { perform: async (...args) => (await deeds()).perform(...args) } };
}

export async function bridgeService(
  { folder, machines }: Home,
  engine: Engine,
  { ports, knowsAgent, isPerson }: Who & { ports: Ports },
): Promise<BridgeService> {
  const [{ BridgeService }, { bridgeFolder }] = await Promise.all([
    import('../engine/bridge/bridge-service.js'),
    import('../handler/bridge-folder.js'),
  ]);
  return new BridgeService({
    ports,
    engine,
    machines,
    folder: bridgeFolder,
    knowsAgent,
    isPerson,
    profile: profilesIn(folder),
  });
}

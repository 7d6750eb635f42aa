import { SYSTEM_RUN } from '../../core/kernel/system-run.js';
import { isExpired } from '../../core/policy/rule.js';
import type { Baton } from '../../engine/opened-baton.js';
import type { SessionCaller } from '../../engine/session/session-desk.js';
import { localToken } from '../../settings/server-file.js';
import type { HostOptions } from '../../transports/session-host.js';
import type { Io } from '../io.js';

/** Sessions of this process for whoever connects: this user, and whoever has a token of the home. */
export function hostOptions(baton: Baton, io: Io): HostOptions {
  const local: SessionCaller = { actor: io.env.USER || 'cli', role: 'admin', agent: null, client: '', isLocal: true };
  return {
    ...{ desk: baton.sessions, local },
    authenticate: (token) => callerOf(baton, local, token),
    onTokensChanged: (call) => baton.engine.watch(SYSTEM_RUN, call),
    onFailure: (failure) => io.err(`${String(failure)}\n`),
  };
}

async function callerOf(
  { folder, hasher, tokens, clock }: Baton,
  local: SessionCaller,
  token: string,
): Promise<SessionCaller | null> {
  // Hashes are compared, so that how long it takes tells nothing about a token.
  const hash = hasher.sha256(token);
  if (hash === hasher.sha256(await localToken(folder))) return local;
  const known = (await tokens.list()).find(({ sha256 }) => sha256 === hash);
  if (!known || isExpired(known.expiresAt, clock.nowMs())) return null;
  return { actor: known.name, role: known.role, agent: known.agent, client: '', isLocal: false };
}

import type { ConfigFile, SessionServer } from '../contracts/generated/types/config.js';
import { readConfig } from './config-file.js';

type Set = NonNullable<ConfigFile['session']>;

/** What the user has set for sessions; what is absent is left to whoever opens one. */
export type SessionDefaults = {
  model: string | undefined;
  history: NonNullable<Set['history']>;
  contextWindow: number | undefined;
  approval: NonNullable<Set['approval_policy']>;
  sandboxMode: NonNullable<Set['sandbox_mode']>;
  mcpServers: Readonly<Record<string, SessionServer>>;
};

/** Read each time, so that a change holds from the next session on. */
export async function sessionDefaults(home: string): Promise<SessionDefaults> {
  const { session = {} } = await readConfig(home);
  return {
    model: session.model,
    history: session.history ?? 'full',
    contextWindow: session.context_window,
    approval: session.approval_policy ?? 'on-request',
    sandboxMode: session.sandbox_mode ?? 'workspace-write',
    mcpServers: session.mcp_servers ?? {},
  };
}

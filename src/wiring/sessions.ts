/** What sessions need of the world: commands, patches, images, tools of servers. */

import { realpath } from 'node:fs/promises';
import type { SessionOrder } from '../core/session/session-messages.js';
import type { Home } from '../engine/opened-home.js';
import type { Deeds, Ports, RunId } from '../engine/ports.js';
import type { LiveText } from '../engine/session/live-text.js';
import type { Gate } from '../sandbox/process-rows.js';
import type { Confinements } from '../workspace/confinement.js';
import { shellReader } from './agents.js';
import { lazily } from './lazily.js';

type Parts = {
  home: Home;
  gate: Gate;
  /** Without keys of providers. */
  environment: Readonly<Record<string, string | undefined>>;
  confinements: Confinements;
  live: LiveText;
  log(): Ports['log'];
};
type SessionParts = {
  deeds: Deeds;
  /** What a model is offered. Servers are started on behalf of a run: without one, their tools are not there. */
  tools(order: Pick<SessionOrder, 'tools'>, run?: RunId): Promise<readonly object[]>;
  close(): Promise<void>;
};

/** Loaded with the first call of a session in this process. */
export function sessionParts({ home, gate, environment, confinements, live, log }: Parts): SessionParts {
  const { folder, store, clock, scrub, hasher } = home;
  let isUsed = false;
  const servers = lazily(async () => {
    isUsed = true;
    const [{ McpServers }, { sessionDefaults }] = await Promise.all([
      import('../session/mcp/mcp-servers.js'),
      import('../settings/session-defaults.js'),
    ]);
    const configured = async () => (await sessionDefaults(folder)).mcpServers;
    return new McpServers({ gate, clock, environment, configured });
  });
  const deeds = lazily(async () => {
    const { createSessionDeeds } = await import('../session/create-session-deeds.js');
    return createSessionDeeds({
      ...{ gate, environment, confinements, live, clock, scrub, hasher, home: folder, log: log() },
      ...{ body: (sha256) => store.body(sha256), rulesFor: await rulesIn(home), shell: lazily(shellReader) },
      servers: await servers(),
    });
  });
  return {
    deeds: { perform: async (...args) => (await deeds()).perform(...args) },
    async tools(order, run) {
      const { toolsFor } = await import('../session/tool-definitions.js');
      const epoch = run === undefined ? undefined : (await store.run(run))?.epoch;
      if (run === undefined || epoch === undefined) return toolsFor(order);
      const { tools, problems } = await (await servers()).offered({ run, epoch });
      for (const [server, problem] of problems)
        log()('warn', 'a server of tools is not there', { run, server, problem });
      const { offeredTools } = await import('../session/mcp/offered-tools.js');
      return toolsFor(order, offeredTools(tools));
    },
    async close() {
      if (isUsed) await (await servers()).close();
    },
  };
}

/** Rules of the user and of the trusted project file, for the repository that a folder lies in. */
export async function rulesIn({ folder, store, clock, machines }: Home) {
  const [{ RuleBook, rulesIn: kept }, { readProject }, { repositoryOf }] = await Promise.all([
    import('../engine/rules/rule-book.js'),
    import('../settings/project-file.js'),
    import('../settings/repository-of.js'),
  ]);
  const book = new RuleBook({ kept: () => kept(store, machines), clock, shell: shellReader });
  return async (cwd: string, agent: string) => {
    // Rules name folders as they really are: another name for one must not lead past them.
    const folderOfSession = await realpath(cwd).catch(() => cwd);
    const repo = repositoryOf(folderOfSession) ?? folderOfSession;
    const project = await readProject(folder, repo);
    return book.applying({ repo, agent }, project?.trusted ? (project.settings.rules ?? []) : []);
  };
}

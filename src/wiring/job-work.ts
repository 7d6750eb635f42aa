/** A model at work on a job: a session inside of its ask, with hands in the job's folder. */

import { realpathSync, statSync } from 'node:fs';
import path from 'node:path';
import type { ModelWork, WorkOrder } from '../agents/model/work-on-job.js';
import { agentEnvironment } from '../agents/process/agent-environment.js';
import type { Home } from '../engine/opened-home.js';
import type { Ports } from '../engine/ports.js';
import type { HostRules } from '../engine/rules/judge-wanted.js';
import { LiveText } from '../engine/session/live-text.js';
import type { Gate } from '../sandbox/process-rows.js';
import type { SessionHands } from '../session/session-hands.js';
import type { Confinements } from '../workspace/confinement.js';
import { jobFolder } from '../workspace/job-folder.js';
import { type StateOf, shellReader } from './agents.js';
import { lazily } from './lazily.js';
import { WINDOW_DEFAULT } from './session-desk.js';
import { rulesIn } from './sessions.js';

type Parts = {
  home: Home;
  gate: Gate;
  /** Without keys of providers. */
  environment: Readonly<Record<string, string | undefined>>;
  confinements: Confinements;
  stateOf: StateOf;
  /** Which hosts rules open to an agent, and which they close. */
  hosts(of: { run: string; agent: string }): Promise<HostRules>;
  log(): Ports['log'];
};

/** What its model was changing, beside the workspace. */
const PATCH_NOTE = 'patch.json';

export function jobWork(parts: Parts): ModelWork {
  const { folder, store, clock, scrub, hasher } = parts.home;
  const rules = lazily(() => rulesIn(parts.home));
  return {
    clock,
    scrub,
    async begin({ held, ask, model, instructions, mayWrite, turn, tell, signal }) {
      const { workspace, root } = jobFolder(folder, held.run);
      const isJob = (await store.run(held.run))?.kind === 'job';
      if (!isJob || !statSync(workspace, { throwIfNoEntry: false })?.isDirectory()) return undefined;
      const cwd = realpathSync(workspace);
      const [{ SoloSession }, { createSessionDeeds }, patches, { OWN_TOOLS }, { sessionDefaults }] = await Promise.all([
        import('../session/solo-session.js'),
        import('../session/create-session-deeds.js'),
        import('../session/noted-patches.js'),
        import('../session/tool-definitions.js'),
        import('../settings/session-defaults.js'),
      ]);
      const note = path.join(root, PATCH_NOTE);
      await patches.endNotedPatch(note, cwd);
      const bodies = new Map<string, Uint8Array>();
      const hands = await handsOf(parts, { held, ask }, bodies, await rules());
      const deeds = patches.notedPatches(createSessionDeeds(hands), hands, note);
      const { contextWindow = WINDOW_DEFAULT } = await sessionDefaults(folder);
      const mode = mayWrite ? 'workspace-write' : 'read-only';
      return new SoloSession(
        {
          ...{ cwd, model, agent: ask.agent, instructions, contextWindow, history: 'full', tools: OWN_TOOLS },
          sandbox: { mode, writableRoots: [], networkAccess: false },
          // Those of the job hold for all of it.
          ...{ limits: {}, project: 'default', classification: null, repository: null, parent: held.run },
        },
        { held, clock, scrub, hasher, bodies, deeds, ask: turn, tell, signal },
      );
    },
  };
}

type RulesFor = Awaited<ReturnType<typeof rulesIn>>;

/** Its commands are held as any other agent of the job is, and found by its marker as that is. */
async function handsOf(
  { home, gate, environment, confinements, stateOf, hosts, log }: Parts,
  { held: { run }, ask: { key: handoff, attempt, agent } }: Pick<WorkOrder, 'held' | 'ask'>,
  bodies: ReadonlyMap<string, Uint8Array>,
  rulesFor: RulesFor,
): Promise<SessionHands> {
  const { clock, scrub, hasher } = home;
  const { McpServers } = await import('../session/mcp/mcp-servers.js');
  const { order } = await stateOf(run);
  return {
    ...{ gate, clock, scrub, hasher, log: log(), shell: lazily(shellReader), live: new LiveText() },
    environment: agentEnvironment(environment, order?.env ?? []),
    body: async (sha256) => bodies.get(sha256),
    home: null,
    confinements: {
      holding: () => confinements.holding(),
      async session({ mayWrite }) {
        const way = { ports: [], ...(await hosts({ run, agent })) };
        return confinements.agent(run, { argv: [], sandbox: mayWrite ? 'workspace-write' : 'read-only' }, way);
      },
    },
    rulesFor: (cwd, who) => rulesFor(order?.repository?.folder ?? cwd, who),
    servers: new McpServers({ gate, clock, environment, configured: async () => ({}) }),
    marker: { handoff, attempt },
  };
}

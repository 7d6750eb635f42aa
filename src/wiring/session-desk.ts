/** Sessions as clients use them. */

import { realpath, stat } from 'node:fs/promises';
import { type AgentSpec, isBuiltInModel, MODEL_DEFAULT } from '../agents/agent-spec.js';
import { BatonError } from '../contracts/shared/errors.js';
import type { Engine } from '../engine/engine.js';
import type { Home } from '../engine/opened-home.js';
import type { Ports } from '../engine/ports.js';
import type { SessionService, SessionSurroundings } from '../engine/session/session-service.js';

type World = Pick<SessionSurroundings, 'live' | 'relay' | 'spentOf' | 'fourEyes' | 'drives'> & {
  ports: Ports;
  specOf(agent: string): Promise<AgentSpec | undefined>;
};

export async function sessionDesk(
  { folder, machines }: Home,
  engine: Engine,
  { ports, live, relay, spentOf, fourEyes, drives, specOf }: World,
): Promise<SessionService> {
  const { SessionService } = await import('../engine/session/session-service.js');
  return new SessionService({
    ...{ ports, engine, machines, live, relay, spentOf, fourEyes, drives },
    folderAt,
    whyNotWritable: (one) => whyNotWritable(one, folder),
    repositoryOf: async (cwd) => (await import('../settings/repository-of.js')).repositoryOf(cwd),
    async image(file, cwd) {
      const { readImage } = await import('../session/read-image.js');
      const image = await readImage(file, { roots: [cwd], home: folder });
      if ('problem' in image) throw new BatonError('PATH_REFUSED', image.problem, { path: file });
      return image.dataUrl;
    },
    async defaults() {
      const { model, contextWindow, ...rest } = await (await settings()).sessionDefaults(folder);
      return { ...rest, model: model ?? MODEL_DEFAULT, contextWindow: contextWindow ?? WINDOW_DEFAULT };
    },
    async modelOf(agent) {
      const spec = await specOf(agent);
      if (spec?.adapter !== 'model' || spec.wire !== 'responses') return undefined;
      return { model: isBuiltInModel(agent) ? null : spec.model };
    },
  });
}

/** Tokens that a model can take in, where nobody says how many. */
export const WINDOW_DEFAULT = 200_000;
const settings = () => import('../settings/session-defaults.js');

/** Whoever writes there tells a shell, git or Baton what to run. */
async function whyNotWritable(folder: string, home: string): Promise<string | undefined> {
  const { holdsHome } = await import('../workspace/confinement.js');
  if (holdsHome(folder)) return 'holds your home';
  if (`${folder}/`.startsWith(`${await realpath(home)}/`)) return 'is of Baton itself';
  return folder.toLowerCase().split('/').includes('.git') ? 'is in the control files of git' : undefined;
}

async function folderAt(path: string): Promise<string | undefined> {
  try {
    const real = await realpath(path);
    return (await stat(real)).isDirectory() ? real : undefined;
  } catch {
    return undefined;
  }
}

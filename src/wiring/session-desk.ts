/** Sessions as clients use them. */

import { realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import { type AgentSpec, isBuiltInModel, MODEL_DEFAULT } from '../agents/agent-spec.js';
import { BatonError } from '../contracts/shared/errors.js';
import type { Engine } from '../engine/engine.js';
import type { Home } from '../engine/opened-home.js';
import type { Ports } from '../engine/ports.js';
import type { SessionService, SessionSurroundings } from '../engine/session/session-service.js';
import type { Confinements } from '../workspace/confinement.js';

type World = Pick<SessionSurroundings, 'live' | 'relay' | 'spentOf' | 'fourEyes' | 'drives'> & {
  ports: Ports;
  confinements: Pick<Confinements, 'holding'>;
  specOf(agent: string): Promise<AgentSpec | undefined>;
};

export async function sessionDesk(
  { folder, machines }: Home,
  engine: Engine,
  { ports, live, relay, spentOf, fourEyes, drives, specOf, confinements }: World,
): Promise<SessionService> {
  const { SessionService } = await import('../engine/session/session-service.js');
  return new SessionService({
    ...{ ports, engine, machines, live, relay, spentOf, fourEyes, drives },
    folderAt,
    placeIn,
    holds: async () => (await confinements.holding()).holds,
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
  const { whyOnlyRead } = await import('../workspace/only-read.js');
  if (path.basename(folder) === 'baton.json') return 'tells Baton what to run';
  if (`${folder}/`.startsWith(`${await realpath(home)}/`)) return 'is of Baton itself';
  return whyOnlyRead(folder);
}

async function placeIn(folder: string, below: string): Promise<string | undefined> {
  const place = path.resolve(folder, below);
  return (await realpath(place).catch(() => undefined)) === place ? place : undefined;
}

async function folderAt(given: string): Promise<string | undefined> {
  try {
    const real = await realpath(given);
    return (await stat(real)).isDirectory() ? real : undefined;
  } catch {
    return undefined;
  }
}

import { realpathSync, statSync } from 'node:fs';
import path from 'node:path';
import { BatonError } from '../../contracts/shared/errors.js';
import type { BridgeOptions } from '../../engine/bridge/bridge-service.js';
import { ANYBODY } from '../../engine/bridge/read-request.js';
import type { Parsed } from '../command.js';
import type { Io } from '../io.js';
import { textOption } from '../option-values.js';

/** Whole and without links: the same folder is the same bridge, however it is named. */
export function bridgeDir(io: Io, said = '.'): string {
  const dir = path.resolve(io.cwd, said);
  if (!statSync(dir, { throwIfNoEntry: false })?.isDirectory()) {
    throw new BatonError('USAGE', `there is no folder ${dir}`, { dir });
  }
  return realpathSync(dir);
}

/** Who answers, and who pays. */
export function bridgeOptions(parsed: Parsed, dir: string): BridgeOptions {
  const [profile, project] = [textOption(parsed, 'profile'), textOption(parsed, 'project')];
  return {
    ...{ dir, agents: agentsOf(parsed) },
    ...(profile !== undefined && { profile }),
    ...(project !== undefined && { project }),
  };
}

function agentsOf({ values }: Parsed): Record<string, string> {
  const said = (values.agent ?? []) as readonly string[];
  return Object.fromEntries(
    said.map((one) => {
      const at = one.indexOf('=');
      const [name, agent] = at === -1 ? [ANYBODY, one] : [one.slice(0, at), one.slice(at + 1)];
      if (name && agent) return [name, agent];
      throw new BatonError('USAGE', `--agent takes NAME=AGENT or AGENT, not ${JSON.stringify(one)}`);
    }),
  );
}

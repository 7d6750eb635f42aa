import { realpath } from 'node:fs/promises';
import type { BUILT_IN_TOOLS } from '../../contracts/baton/tool-rules.js';
import { Git } from '../../workspace/git.js';
import type { Errand } from '../../workspace/run-gated.js';
import { type Own, ownPlace } from '../files/own-place.js';
import { errandOf, type Machine } from '../machine.js';
import { type Around, type Done, ended, type Params, stop, type Tool } from '../tool.js';

/** A folder that is looked at, and never written to. */
export type Place = { folder: string; git: Git; errand: Errand; machine: Machine; own: Own };

export function builtIn(
  name: (typeof BUILT_IN_TOOLS)[number],
  description: string,
  machine: Machine,
  look: (params: Params, place: Place) => Promise<Done>,
): Tool {
  return {
    name,
    risk: 'read_only',
    description,
    run: (params, around) =>
      ended(async () => {
        const errand = errandOf(machine, around);
        const folder = await folderOf(around);
        const own = await ownPlace(folder, machine.home);
        return look(params, { folder, git: new Git(errand, machine.environment), errand, machine, own });
      }),
  };
}

/** As the system knows it: the user may have named it by a link, and below it none is followed. */
async function folderOf({ folder }: Around): Promise<string> {
  if (folder === null)
    return stop('ToolError', 'there is no folder to look at: name one with --repo (?repo= over HTTP)');
  try {
    return await realpath(folder);
  } catch {
    return stop('ToolError', `there is no folder ${folder}`);
  }
}

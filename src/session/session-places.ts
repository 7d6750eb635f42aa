import { realpath } from 'node:fs/promises';
import type { Policy } from './call-plan.js';
import { shownTitle } from './shown-title.js';

/**
 * Why nothing may be done, when a folder that the session was set up with is not in its place any more; undefined when
 * all are. They were kept without links: one that is there now may be the work of an earlier call, and would lead
 * whatever is done next to wherever it points.
 */
export async function movedPlace({ cwd, sandbox }: Pick<Policy, 'cwd' | 'sandbox'>): Promise<string | undefined> {
  const { writableRoots, paths = [] } = sandbox;
  for (const place of [cwd, ...writableRoots, ...paths]) {
    const real = await realpath(place).catch(() => undefined);
    // A path that the session may change is one that it may remove.
    if (real === place || (real === undefined && paths.includes(place))) continue;
    const what = real === undefined ? 'is not there any more' : 'is reached through a link now';
    return `${shownTitle(place)} ${what}; the session has to be set up again`;
  }
  return undefined;
}

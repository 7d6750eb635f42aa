/**
 * What every process of a handoff carries in its environment, and how it is recognised by it.
 *
 * BATON_HANDOFF  run/handoff/attempt
 * BATON_RUN      run
 * BATON_SPAWN    scope:id, one per call of spawnGated; the scope names the store
 * BATON_OUTER    one line `BATON_SPAWN BATON_HANDOFF` per Baton around this one, outermost first
 */

/** Whose processes are meant: one spawn, one handoff (all attempts), or a whole run. */
export type MarkerTarget = { scope: string; run: string; handoff?: string; spawn?: string };

export type Marker = { scope: string; run: string; handoff: string; attempt: number; spawn: string };

type Carried = { handoff: string; spawn: string | undefined };

const SCOPE = /^[A-Za-z0-9_-]{1,64}$/;
const RUN = /^[^\s/\p{Cc}]{1,200}$/u;
const HANDOFF = /^[^\p{Cc}]{1,200}$/u;
const NESTING_MAX = 8;
/** Never taken from anywhere else. */
export const MARKER_NAMES: readonly string[] = ['BATON_HANDOFF', 'BATON_RUN', 'BATON_SPAWN', 'BATON_OUTER'];

/** `outer` is the environment of this Baton, which may itself have been started by an agent of another. */
export function markerEnvironment(marker: Marker, outer: NodeJS.ProcessEnv): Record<string, string> {
  const { scope, run, handoff, attempt, spawn } = marker;
  if (!SCOPE.test(scope))
    throw new TypeError(`a scope is 1 to 64 letters, digits, _ or -, not ${JSON.stringify(scope)}`);
  if (!RUN.test(run)) throw new TypeError(`a run without slash or space is needed, not ${JSON.stringify(run)}`);
  if (!HANDOFF.test(handoff)) throw new TypeError(`a handoff on one line is needed, not ${JSON.stringify(handoff)}`);
  const around = outerLines(outer);
  return {
    BATON_HANDOFF: `${run}/${handoff}/${attempt}`,
    BATON_RUN: run,
    BATON_SPAWN: `${scope}:${spawn}`,
    ...(around.length > 0 && { BATON_OUTER: around.join('\n') }),
  };
}

/** Whether an environment, as the kernel shows it, belongs to the target, directly or through a Baton in between. */
export function carriesMarker(environ: string, target: MarkerTarget): boolean {
  return environ.includes('BATON_HANDOFF=') && carriedIn(environ).some((carried) => belongs(carried, target));
}

function outerLines({ BATON_OUTER, BATON_SPAWN, BATON_HANDOFF }: NodeJS.ProcessEnv): string[] {
  const lines = BATON_OUTER ? BATON_OUTER.split('\n') : [];
  if (BATON_SPAWN && BATON_HANDOFF) lines.push(`${BATON_SPAWN} ${BATON_HANDOFF}`);
  return lines.slice(-NESTING_MAX);
}

function carriedIn(environ: string): Carried[] {
  const values = new Map<string, string>();
  for (const entry of environ.split('\0')) {
    const [name = ''] = entry.split('=', 1);
    if (name.startsWith('BATON_')) values.set(name, entry.slice(name.length + 1));
  }
  const outer = (values.get('BATON_OUTER') ?? '').split('\n').map((line): Carried => {
    const space = line.indexOf(' ');
    return { spawn: line.slice(0, Math.max(0, space)), handoff: line.slice(space + 1) };
  });
  return [{ handoff: values.get('BATON_HANDOFF') ?? '', spawn: values.get('BATON_SPAWN') }, ...outer];
}

function belongs({ handoff, spawn }: Carried, target: MarkerTarget): boolean {
  if (target.spawn !== undefined) return spawn === `${target.scope}:${target.spawn}`;
  if (spawn !== undefined && !spawn.startsWith(`${target.scope}:`)) return false;
  const [run, ...rest] = handoff.split('/');
  const attempt = rest.pop() ?? '';
  if (run !== target.run || !/^\d+$/.test(attempt)) return false;
  return target.handoff === undefined || rest.join('/') === target.handoff;
}

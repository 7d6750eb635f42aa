/**
 * bubblewrap: a command in namespaces of its own.
 *
 * B1. The machine is seen read-only, without homes, services, secrets and temporary files; see bwrap/.
 * B2. It has its own processes, network, users, IPC and host name; no capability, and no way to get one.
 * B3. The gate runs inside: a Baton that dies before it opens it never starts the command, one that dies later takes
 *     bwrap with it, and the kernel takes everything inside with bwrap.
 * B4. What is guarded is where it was ordered, seen from outside before the gate opens.
 */

import { collectPlaces } from '../bwrap/collect-places.js';
import { takeCovers } from '../bwrap/covers.js';
import { lookInside } from '../bwrap/look-inside.js';
import { mountArguments } from '../bwrap/mount-arguments.js';
import { isBelow, type Place } from '../bwrap/place.js';
import { makeGroup } from '../control-group.js';
import { relayInside } from '../relay/relay-inside.js';
import { limitLines } from '../resource-limits.js';
import type { ConfinedCommand, Sandbox, Wrapped } from '../sandbox.js';
import { buildFilter } from '../seccomp/build-filter.js';
import { REFUSED_CALLS } from '../seccomp/refused-calls.js';
import { ARCHITECTURES, type Architecture } from '../seccomp/system-calls.js';

const NAMESPACES = [
  '--unshare-user',
  '--unshare-pid',
  '--unshare-ipc',
  '--unshare-uts',
  '--unshare-net',
  '--unshare-cgroup-try',
];
const RIGHTS = ['--new-session', '--die-with-parent', '--cap-drop', 'ALL'];
const READY = 'ready';

export type BwrapOptions = {
  program: string;
  canSize?: boolean;
  /** For tests that plant a hole in what bwrap is told, and see to it that it is found. */
  change?: (args: readonly string[]) => readonly string[];
};

export function bwrapSandbox(options: BwrapOptions): Sandbox {
  return {
    mode: 'bwrap',
    strength: 'enforced',
    wrap(command) {
      try {
        return wrap(options, command);
      } catch (problem) {
        return { reason: `the sandbox could not be made: ${String(problem)}` }; // such as a folder that cannot be read
      }
    },
  };
}

function wrap(
  { program, canSize = true, change = (args) => args }: BwrapOptions,
  { cwd, env, confinement, descriptor }: ConfinedCommand,
): Wrapped | { reason: string } {
  const filter = filterHere();
  if (!filter) return { reason: `there is no system call filter for ${process.arch}` };
  const { limits, network } = confinement;
  const places = collectPlaces(confinement, env);
  if ('reason' in places) return places;
  const relay = network.type === 'relay' ? relayInside(network) : undefined;
  const args = [
    ...NAMESPACES,
    ...RIGHTS,
    ...mountArguments(places, { scratchBytesMax: limits.scratchBytesMax, canSize }, relay?.mounts ?? []),
    ...['--seccomp', String(descriptor), '--chdir', cwd, '--'],
  ];
  const leaveCovers = takeCovers(pathsOf(places, 'absent'));
  const payloads = [filter];
  const group = makeGroup(limits, descriptor + payloads.length);
  return {
    prefix: [program, ...change(args)],
    env: { ...env, TMPDIR: '/tmp', ...relay?.env },
    payloads,
    lent: group?.doors ?? [],
    // The limits are set while the sandbox is being looked at.
    beforeGate: [
      ...(group?.lines ?? []),
      ...(relay?.lines ?? []),
      `echo ${READY} >&3`,
      ...limitLines(limits, { ownUserNamespace: true }),
    ],
    afterGate: [],
    signs: [READY, ...(relay?.signs ?? [])],
    async inspect(pid) {
      const seen = lookInside(pid, guardedPoints(places));
      if ('reason' in seen) return seen;
      await group?.enter(seen.inside);
      return { init: seen.inside[0] };
    },
    tidy() {
      leaveCovers();
      group?.remove();
    },
  };
}

let filter: Buffer | undefined;
function filterHere(): Buffer | undefined {
  if (!(process.arch in ARCHITECTURES)) return undefined;
  filter ??= buildFilter(process.arch as Architecture, REFUSED_CALLS);
  return filter;
}

const pathsOf = (places: readonly Place[], kind: Place['kind']): string[] =>
  places.filter((place) => place.kind === kind).map(({ path }) => path);

/** Mount points in folders that a command may write to; those elsewhere cannot be swapped by anybody it confines. */
function guardedPoints(places: readonly Place[]): string[] {
  const writable = pathsOf(places, 'writable');
  const guarded = (['writable', 'pinned', 'control', 'absent', 'hidden'] as const).flatMap((kind) =>
    pathsOf(places, kind),
  );
  return guarded.filter((point) => writable.some((root) => isBelow(point, root)));
}

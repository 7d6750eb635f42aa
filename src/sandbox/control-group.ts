import { existsSync, mkdirSync, readdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { processSource } from './process-source.js';
import type { ResourceLimits } from './resource-limits.js';

export type ControlGroup = {
  /** Program and arguments that enter the group and then become the program behind them; none where `enter` does it. */
  prefix: readonly string[];
  /** For those that have not come in by the prefix. */
  enter(pids: readonly number[]): Promise<void>;
  remove(): void;
};

const MOUNT = '/sys/fs/cgroup';
const PREFIX = 'baton-';

/** The older hierarchy has a tree per controller, the newer one tree for all. */
type Tree = {
  folder: string;
  files: readonly [file: string, limit: 'processesMax' | 'memoryBytesMax'][];
  /**
   * Where a single thread can enter by itself, which takes no time. To move anybody else, or a whole process, the
   * kernel stops all forks of the machine and waits for it, some 10 ms.
   */
  ownDoor: string | undefined;
};

/** A prefix counts too: it becomes the sandbox's own process, outside of which all others are started. */
const PREFIX_PROCESSES = 1;

/**
 * Bounds a process and all it will start, together. Only for root: the kernel does not count root's processes in any
 * other way, while for others a limit of their user namespace does the same at no cost. Undefined where control groups
 * cannot be had, as in most containers; the limits of each process then hold alone.
 */
export function makeGroup(limits: Pick<ResourceLimits, 'processesMax' | 'memoryBytesMax'>): ControlGroup | undefined {
  if (process.getuid?.() !== 0 || limits.processesMax === undefined) return undefined;
  const bounds = { ...limits, processesMax: limits.processesMax + PREFIX_PROCESSES };
  groups += 1;
  const made: { folder: string; ownDoor: string | undefined }[] = [];
  try {
    for (const { folder, files, ownDoor } of treesHere()) {
      const own = path.join(folder, `${PREFIX}${process.pid}-${groups}`);
      mkdirSync(own);
      made.push({ folder: own, ownDoor: ownDoor && path.join(own, ownDoor) });
      for (const [file, limit] of files) {
        if (bounds[limit] !== undefined) writeFileSync(path.join(own, file), String(bounds[limit]));
      }
    }
  } catch {
    // Read-only, or not given to us.
  }
  if (made.length === 0) return undefined;
  const folders = made.map(({ folder }) => folder);
  return {
    prefix: enteringPrefix(made.flatMap(({ ownDoor }) => ownDoor ?? [])),
    enter: (pids) =>
      move(
        pids,
        made.filter(({ ownDoor }) => ownDoor === undefined).map(({ folder }) => folder),
      ),
    remove: () => removeAll(folders),
  };
}

/** A door that does not open is passed over. */
function enteringPrefix(doors: readonly string[]): string[] {
  if (doors.length === 0) return [];
  const script = [...doors.map(() => 'echo 0 2>/dev/null >"$1"; shift'), 'exec "$@"'].join('\n');
  return ['/bin/sh', '-c', script, 'baton-group', ...doors];
}

async function move(pids: readonly number[], folders: readonly string[]): Promise<void> {
  try {
    for (const folder of folders) {
      for (const pid of pids) await writeFile(path.join(folder, 'cgroup.procs'), String(pid));
    }
  } catch {
    // Not given to us.
  }
}

let groups = 0;
let trees: readonly Tree[] | undefined;

function treesHere(): readonly Tree[] {
  if (!trees) {
    trees = findTrees();
    for (const { folder } of trees) removeLeftGroups(folder);
  }
  return trees;
}

function findTrees(): Tree[] {
  const own = readFileSync('/proc/self/cgroup', 'utf8').split('\n');
  const placeOf = (controller: string): string | undefined =>
    own.map((line) => line.split(':')).find(([, names]) => names?.split(',').includes(controller))?.[2];
  if (existsSync(path.join(MOUNT, 'cgroup.controllers'))) {
    // A group that holds processes cannot have limited groups in it: ours stands beside the one we are in.
    const folder = path.join(MOUNT, path.dirname(placeOf('') ?? '/'));
    return [
      {
        folder,
        files: [
          ['pids.max', 'processesMax'],
          ['memory.max', 'memoryBytesMax'],
        ],
        ownDoor: undefined,
      },
    ];
  }
  const trees: Tree[] = [];
  for (const [controller, file, limit] of [
    ['pids', 'pids.max', 'processesMax'],
    ['memory', 'memory.limit_in_bytes', 'memoryBytesMax'],
  ] as const) {
    const place = placeOf(controller);
    if (place === undefined) continue;
    trees.push({ folder: path.join(MOUNT, controller, place), files: [[file, limit]], ownDoor: 'tasks' });
  }
  return trees;
}

/** Of Batons that were killed. */
function removeLeftGroups(folder: string): void {
  if (!existsSync(folder)) return;
  for (const name of readdirSync(folder).filter((one) => one.startsWith(PREFIX))) {
    const owner = Number(name.slice(PREFIX.length).split('-')[0]);
    if (!processSource.find(owner)) removeIfEmpty(path.join(folder, name));
  }
}

/** Groups in which a process that has ended was not yet collected. */
const busy = new Set<string>();

function removeAll(made: readonly string[]): void {
  for (const group of [...busy, ...made]) {
    if (removeIfEmpty(group)) busy.delete(group);
    else busy.add(group);
  }
}

function removeIfEmpty(group: string): boolean {
  try {
    rmdirSync(group);
    return true;
  } catch {
    return !existsSync(group);
  }
}

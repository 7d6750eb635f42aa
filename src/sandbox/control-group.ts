import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  writeFileSync,
} from 'node:fs';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { PORTABLE_DESCRIPTOR_MAX } from './gate-command.js';
import { processSource } from './process-source.js';
import type { ResourceLimits } from './resource-limits.js';

export type ControlGroup = {
  /** Open files of this process by which a shell that is given them enters; empty where `enter` has to do it. */
  doors: readonly number[];
  /** Of that shell; afterwards it has the doors no more. */
  lines: readonly string[];
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
   * Where a single thread can enter by itself, which takes no time. Before it moves anybody else, or a process with
   * all its threads, the kernel waits for the whole machine, some 10 ms. The newer hierarchy has no such file.
   */
  door: string | undefined;
};

/**
 * Bounds a process and all it will start, together. Only for root: the kernel does not count root's processes in any
 * other way, while for others a limit of their user namespace does the same at no cost. Undefined where control groups
 * cannot be had, as in most containers; the limits of each process then hold alone. The shell has the doors from
 * `descriptor` on.
 */
export function makeGroup(
  limits: Pick<ResourceLimits, 'processesMax' | 'memoryBytesMax'>,
  descriptor: number,
): ControlGroup | undefined {
  if (process.getuid?.() !== 0 || limits.processesMax === undefined) return undefined;
  groups += 1;
  const made: string[] = [];
  const doors: number[] = [];
  const mayOpen = descriptor + TREES_MAX - 1 <= PORTABLE_DESCRIPTOR_MAX;
  try {
    for (const { folder, files, door } of treesHere()) {
      const own = path.join(folder, `${PREFIX}${process.pid}-${groups}`);
      mkdirSync(own);
      made.push(own);
      for (const [file, limit] of files) {
        if (limits[limit] !== undefined) writeFileSync(path.join(own, file), String(limits[limit]));
      }
      if (door !== undefined && mayOpen) doors.push(openSync(path.join(own, door), 'w'));
    }
  } catch {
    // Read-only, or not given to us.
  }
  if (made.length === 0) return undefined;
  return {
    doors,
    lines: doors.flatMap((_, index) => [`echo 0 2>/dev/null >&${descriptor + index}`, `exec ${descriptor + index}>&-`]),
    enter: async (pids) => (doors.length > 0 ? undefined : move(pids, made)),
    remove() {
      for (const door of doors.splice(0)) closeSync(door);
      removeAll(made);
    },
  };
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

/** That of processes and that of memory. */
const TREES_MAX = 2;
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
        door: undefined,
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
    trees.push({ folder: path.join(MOUNT, controller, place), files: [[file, limit]], door: 'tasks' });
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

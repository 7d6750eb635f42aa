import { existsSync, readdirSync, readFileSync, rmdirSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { processSource } from './process-source.js';
import type { ResourceLimits } from './resource-limits.js';

export type ControlGroup = { remove(): void };

const MOUNT = '/sys/fs/cgroup';
const PREFIX = 'baton-';

/** The older hierarchy has a tree per controller, the newer one tree for all. */
type Tree = { folder: string; files: readonly [file: string, limit: 'processesMax' | 'memoryBytesMax'][] };

/**
 * Bounds a process and all it will start, together. Only for root: the kernel does not count root's processes in any
 * other way, while for others a limit of their user namespace does the same at no cost. Undefined where control groups
 * cannot be had, as in most containers; the limits of each process then hold alone.
 */
export async function enterGroup(
  pids: readonly number[],
  limits: Pick<ResourceLimits, 'processesMax' | 'memoryBytesMax'>,
): Promise<ControlGroup | undefined> {
  if (process.getuid?.() !== 0 || limits.processesMax === undefined) return undefined;
  groups += 1;
  const made: string[] = [];
  const group = { remove: () => removeAll(made) };
  try {
    for (const { folder, files } of treesHere()) {
      const own = path.join(folder, `${PREFIX}${process.pid}-${groups}`);
      await mkdir(own);
      made.push(own);
      for (const [file, limit] of files) {
        if (limits[limit] !== undefined) await writeFile(path.join(own, file), String(limits[limit]));
      }
      for (const pid of pids) await writeFile(path.join(own, 'cgroup.procs'), String(pid));
    }
  } catch {
    // Read-only, or not given to us.
  }
  return made.length > 0 ? group : undefined;
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
      },
    ];
  }
  const trees: Tree[] = [];
  for (const [controller, file, limit] of [
    ['pids', 'pids.max', 'processesMax'],
    ['memory', 'memory.limit_in_bytes', 'memoryBytesMax'],
  ] as const) {
    const place = placeOf(controller);
    if (place !== undefined) trees.push({ folder: path.join(MOUNT, controller, place), files: [[file, limit]] });
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

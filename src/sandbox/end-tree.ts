/**
 * Ends everything that belongs to a tree of processes.
 *
 * E1. SIGTERM first, once per process; what is left after the grace period gets SIGKILL, again and again. A sandbox's
 *     own process is not asked: it would take everything inside with it, which then had no time to tidy up. It exits
 *     when they have.
 * E2. It is over when two scans in a row find nobody: one may have missed a process that was just being forked.
 * E3. A number is only signalled right after its start time was read again and is the expected one.
 * E4. A whole group is killed at once, which no fork can outrun, but only when every member of it is to be ended. So
 *     are, last of all, the groups in which nobody is seen any more: who forks and exits faster than the list can be
 *     read is in none of the scans, yet in the group.
 * E5. Rounds are bounded. Who is left then is reported, never forgotten.
 *
 * What is not found, because becoming the reaper of orphans (PR_SET_CHILD_SUBREAPER) takes native code:
 * - a process that clears or overwrites its environment, leaves its session and loses its parent between two looks of
 *   tree-watch.ts, or at any time when the Baton that watched it is dead;
 * - a chain in which each process starts the next in a session of its own, faster than the list can be read.
 * Inside the pid namespace of the sandbox neither escapes: the kernel ends all of it with its first process.
 */
import type { MarkerTarget } from './process-marker.js';
import { type ProcessInfo, type ProcessSource, processSource } from './process-source.js';
import { ProcessTree, type Root } from './process-tree.js';
import { watchedTrees } from './tree-watch.js';

export type EndedProcess = { pid: number; name: string };
/** Each list names the first hundred at most, so that a report fits into an event. */
export type Ended = { ended: readonly EndedProcess[]; remaining: readonly EndedProcess[] };

/** Grace and rounds together stay below the 5 s after which a silent worker must have ended its agents. */
export const GRACE_MS_DEFAULT = 2_000;
const KILL_ROUNDS_MAX = 200;
const QUIET_SCANS = 2;
const PAUSE_MS = { asking: 25, killing: 5, quiet: 5 };
/** So many processes are no tool that wants to tidy up: no grace. */
const PATIENCE_PROCESSES_MAX = 500;
const REPORTED_MAX = 100;
const SANDBOX_NAME = 'bwrap';

/** Ends everything of a handoff, a run or a spawn that runs on this machine, started by this process or not. */
export function endTree(
  target: MarkerTarget,
  { roots = [], graceMs = GRACE_MS_DEFAULT }: { roots?: readonly Root[]; graceMs?: number } = {},
): Promise<Ended> {
  const tree = new ProcessTree(target, roots);
  for (const seen of watchedTrees(target)) tree.absorb(seen);
  return endMembers(tree, { graceMs });
}

export async function endMembers(
  tree: ProcessTree,
  { graceMs, source = processSource }: { graceMs: number; source?: ProcessSource },
): Promise<Ended> {
  const found = new Map<string, ProcessInfo>();
  const asked = new Set<string>();
  const groups = new Set(tree.sessions); // a session's leader also leads the group of the same number
  const patientUntil = performance.now() + graceMs;
  let quietScans = 0;
  let killRounds = 0;
  let left: ProcessInfo[] = [];
  while (killRounds < KILL_ROUNDS_MAX && quietScans < QUIET_SCANS) {
    const snapshot = source.snapshot();
    left = tree.members(snapshot, source.environOf);
    for (const one of left) {
      found.set(nameOf(one), one);
      if (tree.leads(one.session)) groups.add(one.group);
    }
    quietScans = left.length === 0 ? quietScans + 1 : 0;
    const killing = performance.now() >= patientUntil || left.length > PATIENCE_PROCESSES_MAX;
    if (quietScans === QUIET_SCANS || (killing && left.length > 0)) {
      killRounds += 1;
      kill(left, { tree, groups, snapshot, source });
    } else {
      ask(left, asked, source);
    }
    if (quietScans < QUIET_SCANS) await pause(pauseMs(left.length, killing));
  }
  const remaining = new Set(left.map(nameOf));
  const gone = [...found].filter(([name]) => !remaining.has(name)).map(([, one]) => one);
  return { ended: shown(gone), remaining: shown(left) };
}

/** The oldest first: a shell whose command ends before itself would go on to its next line. */
function ask(members: readonly ProcessInfo[], asked: Set<string>, source: ProcessSource): void {
  for (const one of members.toSorted((a, b) => a.order - b.order || a.pid - b.pid)) {
    if (one.name === SANDBOX_NAME || asked.has(nameOf(one))) continue; // many tools take a second SIGTERM as "drop everything"
    asked.add(nameOf(one));
    if (source.find(one.pid)?.started === one.started) send(one.pid, 'SIGTERM');
  }
}

type Scene = {
  tree: ProcessTree;
  groups: ReadonlySet<number>;
  snapshot: readonly ProcessInfo[];
  source: ProcessSource;
};

function kill(members: readonly ProcessInfo[], { tree, groups, snapshot, source }: Scene): void {
  const strangers = snapshot.filter((one) => !tree.has(one) && !one.zombie);
  const shared = new Set(strangers.map(({ group }) => group));
  const killed = new Set<number>();
  const killGroup = (group: number): void => {
    killed.add(group);
    send(-group, 'SIGKILL');
  };
  for (const group of groups) {
    const leader = source.find(group);
    if (group > 1 && !shared.has(group) && (!leader || tree.has(leader))) killGroup(group);
  }
  for (const { pid, started, group } of members) {
    if (killed.has(group) || source.find(pid)?.started !== started) continue;
    if (group > 1 && !shared.has(group)) killGroup(group);
    else send(pid, 'SIGKILL');
  }
}

function pauseMs(members: number, killing: boolean): number {
  if (members === 0) return PAUSE_MS.quiet;
  return killing ? PAUSE_MS.killing : PAUSE_MS.asking;
}

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (problem) {
    // Gone already, or another user's; the latter is found again and reported as remaining (E5).
    if (!isErrno(problem, 'ESRCH') && !isErrno(problem, 'EPERM')) throw problem;
  }
}

function isErrno(problem: unknown, code: string): boolean {
  return problem instanceof Error && 'code' in problem && problem.code === code;
}

const nameOf = ({ pid, started }: ProcessInfo): string => `${pid} ${started}`;
const shown = (all: readonly ProcessInfo[]): EndedProcess[] =>
  all.slice(0, REPORTED_MAX).map(({ pid, name }) => ({ pid, name }));
const pause = (delayMs: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, delayMs));

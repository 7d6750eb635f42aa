import { readdirSync, readFileSync } from 'node:fs';
import { holdsWriteLock } from '../stage/under-way.js';

export const JOB_MOMENTS = ['starting', 'in a commit', 'in a handoff', 'at the gate', 'in a deed', 'between'] as const;
export type JobMoment = (typeof JOB_MOMENTS)[number];

/**
 * What a runner is doing just now, seen from outside: in the kernel's lists of locks and of processes, and in what
 * agents wrote down. An agent that has not begun still waits at the gate.
 */
export function jobMoment(pid: number, home: string, hasBegun: (handoff: string) => boolean): JobMoment {
  return jobMoments(pid, home, hasBegun)[0] ?? 'between';
}

/** The same of one that does several things at once; nothing when it is between them. */
export function jobMoments(pid: number, home: string, hasBegun: (handoff: string) => boolean): JobMoment[] {
  if (holdsWriteLock(pid, home)) return ['in a commit'];
  const children = handoffsOfChildren(pid);
  const asks = children.filter((handoff) => /\/h\d+\/\d+$/.test(handoff));
  return [
    ...(children.some(hasBegun) ? ['in a handoff' as const] : []),
    ...(asks.some((handoff) => !hasBegun(handoff)) ? ['at the gate' as const] : []),
    ...(children.length > asks.length ? ['in a deed' as const] : []),
  ];
}

/** What the children of a process work on, as their environment says. */
function handoffsOfChildren(pid: number): string[] {
  return readdirSync('/proc').flatMap((name) => {
    if (!/^\d+$/.test(name)) return [];
    try {
      const stat = readFileSync(`/proc/${name}/stat`, 'latin1');
      if (stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1] !== String(pid)) return [];
      const environ = readFileSync(`/proc/${name}/environ`, 'latin1');
      const handoff = /(?:^|\0)BATON_HANDOFF=([^\0]*)/.exec(environ)?.[1];
      return handoff === undefined ? [] : [handoff];
    } catch {
      return []; // gone meanwhile
    }
  });
}

export function momentShare(moments: readonly JobMoment[], of: JobMoment): number {
  return moments.length === 0 ? 0 : moments.filter((moment) => moment === of).length / moments.length;
}

/** One line for each kind of moment. */
export function killMoments(moments: readonly JobMoment[]): string[] {
  return JOB_MOMENTS.map((moment) => {
    const count = moments.filter((one) => one === moment).length;
    return `killed: ${moment.padEnd(14)} ${String(count).padStart(4)} ${'█'.repeat(count)}`;
  });
}

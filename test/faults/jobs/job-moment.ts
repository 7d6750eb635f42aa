import { readdirSync, readFileSync } from 'node:fs';
import { holdsWriteLock } from '../stage/under-way.js';

export const JOB_MOMENTS = ['starting', 'in a commit', 'in a handoff', 'in a deed', 'between'] as const;
export type JobMoment = (typeof JOB_MOMENTS)[number];

/** What a runner is doing just now, seen from outside: in the kernel's lists of locks and of processes. */
export function jobMoment(pid: number, home: string): JobMoment {
  if (holdsWriteLock(pid, home)) return 'in a commit';
  const keys = childKeys(pid);
  if (keys.some((key) => /^h\d+$/.test(key))) return 'in a handoff';
  return keys.length > 0 ? 'in a deed' : 'between';
}

/** What the children of a process work on, as their environment says. */
function childKeys(pid: number): string[] {
  return readdirSync('/proc').flatMap((name) => {
    if (!/^\d+$/.test(name)) return [];
    try {
      const stat = readFileSync(`/proc/${name}/stat`, 'latin1');
      if (stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1] !== String(pid)) return [];
      const environ = readFileSync(`/proc/${name}/environ`, 'latin1');
      const key = /(?:^|\0)BATON_HANDOFF=[^/\0]*\/([^/\0]*)\//.exec(environ)?.[1];
      return key === undefined ? [] : [key];
    } catch {
      return []; // gone meanwhile
    }
  });
}

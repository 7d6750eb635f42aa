import { procfsSource } from './procfs.js';
import { psSource } from './ps.js';

export type ProcessInfo = {
  pid: number;
  ppid: number;
  group: number;
  /** The group where the system does not tell. */
  session: number;
  /** Together with the pid this names one process for ever. */
  started: string;
  /** Grows with the time of the start; only compared within one snapshot. */
  order: number;
  /** Dead but not yet collected by its parent: cannot run and cannot be ended. */
  zombie: boolean;
  /** The program's short name; never its arguments, which may hold secrets. */
  name: string;
};

/** What this machine says about its processes. Synchronous, so that little happens between looking and acting. */
export interface ProcessSource {
  snapshot(): ProcessInfo[];
  find(pid: number): ProcessInfo | undefined;
  /** Null when it cannot be read: another user's process, one that is gone, or a system that does not tell. */
  environOf(pid: number): string | null;
  namespaceOf(pid: number): string | null;
  /** Whether a start was of this boot of this machine. */
  isThisBoot(started: string): boolean;
}

/** Linux tells everything in /proc. Elsewhere `ps` tells of parents and groups, but not of environments and sessions. */
export const processSource: ProcessSource = process.platform === 'linux' ? procfsSource : psSource;

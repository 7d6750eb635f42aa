import { spawnSync } from 'node:child_process';
import type { ProcessInfo, ProcessSource } from './process-source.js';

/**
 * Without /proc there is less to go by: start times are whole seconds, sessions and environments are not told. What is
 * found is the process groups and the descendants that were seen; a daemon that left both is not. Tried with the `ps`
 * of Linux only.
 */
const COLUMNS = 'pid=,ppid=,pgid=,stat=,lstart=,comm=';
const LINE = /^\s*(\d+)\s+(\d+)\s+(\d+)\s+(\S+)\s+(\S+\s+\S+\s+\S+\s+\S+\s+\d{4})\s+(.*)$/;
const PS_MS_MAX = 5_000;
const PS_BYTES_MAX = 16 * 1024 * 1024;

export const psSource: ProcessSource = {
  snapshot: () => parsePs(ps('-A', '-o', COLUMNS)),
  find: (pid) => parsePs(ps('-p', String(pid), '-o', COLUMNS))[0],
  environOf: () => null,
  namespaceOf: () => null,
  isThisBoot: () => true,
};

export function parsePs(output: string): ProcessInfo[] {
  return output.split('\n').flatMap((line) => {
    const [, pid, ppid, group, state = '', lstart = '', command = ''] = LINE.exec(line) ?? [];
    if (pid === undefined) return [];
    const started = lstart.replace(/\s+/g, ' ');
    return {
      pid: Number(pid),
      ppid: Number(ppid),
      group: Number(group),
      session: Number(group), // not told portably; a group led by a member is as good a reason to belong
      started,
      order: Date.parse(started),
      zombie: state.startsWith('Z'),
      name: command.slice(command.lastIndexOf('/') + 1),
    };
  });
}

function ps(...args: string[]): string {
  const { stdout } = spawnSync('ps', args, {
    encoding: 'utf8',
    env: { PATH: '/usr/bin:/bin', LC_ALL: 'C' },
    timeout: PS_MS_MAX,
    maxBuffer: PS_BYTES_MAX,
  });
  return stdout ?? '';
}

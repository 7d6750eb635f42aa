import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import type { ProcessInfo, ProcessSource } from './process-source.js';

/** Without the boot, a process that gets the same number and tick after a restart would look like the old one. */
const BOOT = textOf('/proc/sys/kernel/random/boot_id')?.trim() ?? 'unknown';

// Positions behind the name in /proc/<pid>/stat, see proc(5).
const STATE = 0;
const PPID = 1;
const GROUP = 2;
const SESSION = 3;
const START_TICKS = 19;

export const procfsSource: ProcessSource = {
  snapshot: () =>
    readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .map(Number)
      .sort((a, b) => b - a) // the newest first: they are the ones that may be gone before they are read
      .flatMap((pid) => parseStat(textOf(`/proc/${pid}/stat`) ?? '') ?? []),
  find: (pid) => parseStat(textOf(`/proc/${pid}/stat`) ?? ''),
  environOf: (pid) => textOf(`/proc/${pid}/environ`),
  namespaceOf(pid) {
    try {
      return readlinkSync(`/proc/${pid}/ns/pid`);
    } catch {
      return null; // gone, or not ours to see
    }
  },
  isThisBoot: (started) => started.endsWith(`@${BOOT}`),
};

/** The name may hold spaces and brackets, so everything is counted from the last bracket. */
export function parseStat(stat: string): ProcessInfo | undefined {
  const open = stat.indexOf('(');
  const close = stat.lastIndexOf(')');
  if (open < 0 || close < 0) return undefined;
  const fields = stat.slice(close + 2).split(' ');
  const state = fields[STATE] ?? '';
  return {
    pid: Number(stat.slice(0, open)),
    ppid: Number(fields[PPID]),
    group: Number(fields[GROUP]),
    session: Number(fields[SESSION]),
    started: `${fields[START_TICKS]}@${BOOT}`,
    order: Number(fields[START_TICKS]),
    zombie: state === 'Z' || state === 'X',
    name: stat.slice(open + 1, close),
  };
}

function textOf(file: string): string | null {
  try {
    return readFileSync(file, 'latin1');
  } catch {
    return null; // the process is gone, or not ours to read
  }
}

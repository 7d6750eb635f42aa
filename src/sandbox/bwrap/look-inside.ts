import { readFileSync } from 'node:fs';
import { processSource } from '../process-source.js';

/** Processes inside, the first of them first. */
type Inside = { inside: readonly [init: number, ...others: number[]] };

/**
 * Who is inside, after all mounts are made; and whether each of them is where it was ordered. A path that was swapped
 * for a link between looking and mounting has its mount somewhere else.
 */
export function lookInside(pid: number, mountPoints: readonly string[]): Inside | { reason: string } {
  const [init] = childrenOf(pid);
  if (init === undefined) return { reason: 'the process inside the sandbox is not to be seen' };
  const mounted = new Set(mountPoints.length > 0 ? mountPointsOf(init) : []);
  const missing = mountPoints.find((point) => !mounted.has(point));
  if (missing !== undefined) return { reason: `${missing} was changed while it was being guarded` };
  return { inside: [init, ...childrenOf(init)] };
}

function childrenOf(pid: number): number[] {
  try {
    const text = readFileSync(`/proc/${pid}/task/${pid}/children`, 'latin1').trim();
    return text === '' ? [] : text.split(' ').map(Number);
  } catch {
    // Some kernels do not tell.
    return processSource.snapshot().flatMap((one) => (one.ppid === pid ? [one.pid] : []));
  }
}

function mountPointsOf(pid: number): string[] {
  const MOUNT_POINT = 4;
  return readFileSync(`/proc/${pid}/mountinfo`, 'utf8')
    .split('\n')
    .map((line) => unescaped(line.split(' ')[MOUNT_POINT] ?? ''));
}

/** Spaces, tabs, newlines and backslashes are written as octal numbers of three digits. */
function unescaped(path: string): string {
  return path.replace(/\\([0-7]{3})/g, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 8)));
}

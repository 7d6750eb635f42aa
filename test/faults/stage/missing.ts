import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';

/** What a harness needs and this machine lacks, by name; undefined when everything is there. */
export function missing(...needs: readonly Need[]): string | undefined {
  const lacking = needs.filter((need) => !NEEDS[need]());
  return lacking.length === 0 ? undefined : `it needs ${lacking.join(', ')}`;
}

export type Need =
  | 'Linux'
  | 'root'
  | 'strace'
  | 'present strace'
  | 'mount'
  | 'loop devices'
  | 'mkfs.ext4'
  | 'python3'
  | 'git'
  | 'flock'
  | 'bwrap';

const NEEDS: Readonly<Record<Need, () => boolean>> = {
  Linux: () => process.platform === 'linux',
  root: () => process.getuid?.() === 0,
  strace: hasStrace,
  'present strace': () => hasProgram('strace', '--version'),
  mount: () => hasProgram('mount', '--version'),
  'loop devices': () => existsSync('/dev/loop-control') && hasFreeLoop(),
  'mkfs.ext4': () => hasProgram('mkfs.ext4', '-V'),
  python3: () => hasProgram('python3', '--version'),
  git: () => hasProgram('git', '--version'),
  flock: () => hasProgram('flock', '--version'),
  bwrap: () => hasProgram('bwrap', '--version'),
};

function hasProgram(program: string, ...args: readonly string[]): boolean {
  return spawnSync(program, args, { stdio: 'ignore' }).status === 0;
}

function hasFreeLoop(): boolean {
  return hasProgram('losetup', '--find');
}

/** Installed only by root, only for the long runs, and said. */
function hasStrace(): boolean {
  if (hasProgram('strace', '--version')) return true;
  if (process.getuid?.() !== 0 || !hasProgram('apt-get', '--version')) return false;
  console.log('installing strace: apt-get install -y strace');
  try {
    execFileSync('apt-get', ['install', '-y', 'strace'], { stdio: 'ignore' });
  } catch {
    return false; // named as missing
  }
  return hasProgram('strace', '--version');
}

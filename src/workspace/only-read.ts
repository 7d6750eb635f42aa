import { existsSync, realpathSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';

/** What the machine runs and is set up by, with everything below. */
const SYSTEM_TREES: readonly string[] = [
  ...['/etc', '/usr', '/bin', '/sbin', '/lib', '/lib32', '/lib64', '/libx32', '/boot', '/dev', '/proc', '/sys', '/run'],
  ...['/nix', '/snap', '/var/run', '/var/spool/cron', '/System', '/Library', '/Applications', '/private/etc'],
];
/** Below which projects lie; they themselves are of everybody. */
const SHARED_FOLDERS: readonly string[] = [
  ...['/', '/home', '/media', '/mnt', '/opt', '/root', '/srv', '/tmp', '/var', '/var/cache', '/var/lib', '/var/log'],
  ...['/var/mail', '/var/spool', '/var/tmp', '/Users', '/Volumes', '/private', '/private/tmp', '/private/var'],
];
/** Disks that somebody has plugged in, and where images of containers put a program. */
const LIKE_A_HOME = /^\/run\/media\/[^/]+\/[^/]+|^\/usr\/(local\/)?src\/[^/]+/;
/** A sandbox has its own, or none. */
const OF_ITS_OWN: readonly string[] = ['/dev', '/proc', '/run', '/sys'];

/**
 * Why nobody who is held may write there, as the end of a sentence: whoever does tells the system, a shell or git what to run.
 * Undefined when they may.
 */
export function whyOnlyRead(place: string): string | undefined {
  const real = realPath(place);
  if (holdsHome(real)) return 'holds your home';
  if (SHARED_FOLDERS.includes(real)) return 'is shared by everything on this machine';
  if (!LIKE_A_HOME.test(real) && SYSTEM_TREES.some((tree) => isAtOrBelow(real, tree))) return 'is of the system';
  return real.toLowerCase().split('/').includes('.git') ? 'is in the control files of git' : undefined;
}

/** Shown as it is outside it would show the processes and services of this machine. */
export function isOfSandbox(place: string): boolean {
  return !LIKE_A_HOME.test(place) && OF_ITS_OWN.some((tree) => isAtOrBelow(place, tree));
}

function holdsHome(real: string): boolean {
  return isAtOrBelow(realPath(os.homedir()), real);
}

function isAtOrBelow(place: string, folder: string): boolean {
  return place === folder || place.startsWith(folder === '/' ? '/' : `${folder}/`);
}

function realPath(one: string): string {
  return existsSync(one) ? realpathSync(one) : path.resolve(one);
}

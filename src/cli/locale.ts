import type { Io } from './io.js';

/** Whether symbols beyond ASCII can be shown; the first of these variables that is set decides, as in POSIX. */
export function isUtf8(env: Io['env']): boolean {
  return /utf-?8/i.test(env.LC_ALL || env.LC_CTYPE || env.LANG || '');
}

import type { ShellReading } from '../../core/policy/shell-reading.js';

/** Tells what a command would start, without starting anything. `cwd` is absolute with links resolved. */
export type ShellReader = {
  readLine(text: string, cwd: string): ShellReading;
  readArgv(argv: readonly string[], cwd: string): ShellReading;
};

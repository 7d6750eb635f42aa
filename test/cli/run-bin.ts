import { spawnSync } from 'node:child_process';
import path from 'node:path';

export const ROOT = path.join(import.meta.dirname, '../..');

export type Ran = { code: number | null; out: string; err: string };

/** Runs the built program as a user would. */
export function baton(
  args: readonly string[],
  options: { input?: string | Uint8Array; env?: Record<string, string>; cwd?: string } = {},
): Ran {
  return runProgram(process.execPath, [path.join(ROOT, 'bin/baton.cjs'), ...args], options);
}

export function runProgram(
  program: string,
  args: readonly string[],
  {
    input = '',
    env = {},
    cwd = ROOT,
  }: { input?: string | Uint8Array; env?: Record<string, string>; cwd?: string } = {},
): Ran {
  const { status, stdout, stderr } = spawnSync(program, [...args], {
    input,
    cwd,
    env: { ...process.env, ...env },
    encoding: 'utf8',
    // A program that hangs is killed and shows as a test without an exit code.
    timeout: 30_000,
    killSignal: 'SIGKILL',
    maxBuffer: 64 * 1024 * 1024,
  });
  return { code: status, out: stdout, err: stderr };
}

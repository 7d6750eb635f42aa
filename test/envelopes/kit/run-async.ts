import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';

export type Ended = { code: number | null; out: string; err: string };
type How = { cwd?: string; env?: NodeJS.ProcessEnv; input?: string };

const TIMEOUT_MS = 120_000;

/** Several at a time, unlike spawnSync. One that hangs is killed and rejects. */
export async function runAsync(program: string, args: readonly string[], { input = '', ...how }: How): Promise<Ended> {
  // Not spawn's own timeout, which goes on to wait when there is no such program.
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  const child = spawn(program, [...args], { ...how, signal, killSignal: 'SIGKILL' });
  child.stdin.on('error', () => undefined); // it may end before it has read all
  child.stdin.end(input);
  const ended = new Promise<number | null>((resolve, reject) => child.once('error', reject).once('close', resolve));
  const [code, out, err] = await Promise.all([ended, text(child.stdout), text(child.stderr)]);
  return { code, out, err };
}

import type { Exec } from '../../core/kernel/effect.js';
import { sealBody } from '../seal.js';
import type { Context, Ran } from './context.js';

/** A command that cannot be started has no exit code; why is its output. */
export async function runExec({ ports, run, epoch, signal }: Context, exec: Exec): Promise<Ran> {
  const ended = new AbortController();
  const cancel = ports.clock.after(Math.max(0, exec.deadlineMs - ports.clock.nowMs()), () => ended.abort());
  const stop = () => ended.abort();
  signal.addEventListener('abort', stop);
  const result = await ports.commands
    .execute({ run, epoch }, exec, ended.signal)
    .catch((problem: unknown) => ({ exitCode: null, output: String(problem) }))
    .finally(() => {
      cancel();
      signal.removeEventListener('abort', stop);
    });
  const { ref, body } = sealBody(ports, result.output);
  const atMs = ports.clock.nowMs();
  return { command: { type: 'Executed', atMs, key: exec.key, exitCode: result.exitCode, output: ref }, bodies: [body] };
}

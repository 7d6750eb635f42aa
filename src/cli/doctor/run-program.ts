import { type ChildProcess, spawn } from 'node:child_process';
import type { RunResult } from './probe.js';

const OUTPUT_BYTES_MAX = 64 * 1024;
const DRAIN_MS_MAX = 300;

/**
 * Runs a program that is not trusted to end: its own process group, no input, bounded output and time. Whatever it
 * started is ended with it, also after a normal exit.
 */
export function runProgram(
  file: string,
  args: readonly string[],
  { env, timeoutMs }: { env: NodeJS.ProcessEnv; timeoutMs: number },
): Promise<RunResult> {
  return new Promise((resolve) => {
    const child = spawn(file, args, { env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
    const stdout = collect(child.stdout);
    const stderr = collect(child.stderr);

    const finish = (result: RunResult) => {
      clearTimeout(limit);
      endGroup(child);
      child.stdout.destroy();
      child.stderr.destroy();
      child.unref();
      resolve(result);
    };
    const limit = setTimeout(() => finish({ type: 'timeout' }), timeoutMs);
    child.once('error', (failure) => finish({ type: 'failed', reason: failure.message }));
    child.once('exit', (code, signal) => {
      endGroup(child);
      const ended = () => {
        clearTimeout(drain);
        if (code === null) finish({ type: 'killed', signal: signal ?? 'a signal' });
        else finish({ type: 'exited', code, stdout: stdout(), stderr: stderr() });
      };
      // The last bytes may still be in the pipes; a grandchild that left the group may hold them open for ever.
      const drain = setTimeout(ended, DRAIN_MS_MAX);
      child.once('close', ended);
    });
  });
}

function collect(stream: NodeJS.ReadableStream): () => string {
  const chunks: Buffer[] = [];
  let bytes = 0;
  stream.on('data', (chunk: Buffer) => {
    if (bytes < OUTPUT_BYTES_MAX) chunks.push(chunk.subarray(0, OUTPUT_BYTES_MAX - bytes));
    bytes += chunk.length;
  });
  stream.on('error', () => {}); // a torn pipe is seen as missing output
  return () => Buffer.concat(chunks).toString('utf8');
}

function endGroup({ pid }: ChildProcess): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // Nobody is left in the group.
  }
}

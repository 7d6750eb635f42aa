import type { Exit } from '../core/bridge/bridge-messages.js';
import type { Held } from '../engine/ports.js';
import { findProgram } from '../sandbox/find-program.js';
import type { Gate } from '../sandbox/process-rows.js';
import { spawnGated } from '../sandbox/spawn-gated.js';

export type OrchestratorStart = {
  gate: Gate;
  held: Held;
  /** Of the round, so that what an earlier one has left is found and ended. */
  handoff: string;
  dir: string;
  argv: readonly string[];
  env: Readonly<Record<string, string | undefined>>;
  /** Of this process: where its output and its errors go. */
  output: { out: number; err: number };
  signal: AbortSignal;
};

export type OrchestratorEnd = Exit | { problem: string };

/** What the command writes goes where it would without Baton, byte by byte; it reads nothing, as it may be started often. */
const WITH_OUTPUT = ['sh', '-c', 'exec "$@" >&4 2>&5 4>&- 5>&-', 'sh'];

/** Starts the user's own program, with the user's own rights, and waits until nothing of it runs any more. */
export async function runOrchestrator(start: OrchestratorStart): Promise<OrchestratorEnd> {
  const { gate, held, handoff, dir, argv, output, signal } = start;
  const env = Object.fromEntries(
    Object.entries(start.env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
  const found = findProgram(argv[0] ?? '', { cwd: dir, PATH: env.PATH });
  if ('reason' in found) return { problem: found.reason };
  const spawned = await spawnGated({
    ...{ gate, ...held, handoff, attempt: 1, cwd: dir, env, signal },
    argv: [...WITH_OUTPUT, ...argv],
    descriptors: [output.out, output.err],
  });
  if (spawned.type === 'aborted') return { problem: 'it was ended before it began' };
  if (spawned.type !== 'started') return { problem: spawned.reason };
  const { exitCode: code, signal: ended } = await spawned.process.ended;
  return { code, signal: ended };
}

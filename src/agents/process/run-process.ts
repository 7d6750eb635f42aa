import { statSync } from 'node:fs';
import type { Writable } from 'node:stream';
import type { Ask } from '../../core/kernel/effect.js';
import type { AskOutcome, Held, RunId } from '../../engine/ports.js';
import type { Gate } from '../../sandbox/process-rows.js';
import type { Confined } from '../../sandbox/sandbox.js';
import { type SpawnEnd, type SpawnLimits, spawnGated } from '../../sandbox/spawn-gated.js';
import { failed } from '../adapter.js';
import { type LogListener, liveLog } from './live-log.js';
import { outcomeWithoutRun } from './outcome-of.js';

/** What an agent may do on this machine. */
export type Rights = {
  argv: readonly string[];
  sandbox: 'read-only' | 'workspace-write' | 'danger-full-access';
  /** Folders it may write to besides its workspace. */
  writable?: readonly string[];
};

export type ProcessOptions = {
  gate: Gate;
  /** Where the agents of a run work; undefined when it has no folder. */
  workspaceOf(run: RunId): Promise<string | undefined> | string | undefined;
  /** Where the agents of a run append what they do; undefined when nobody asks them to. */
  worklogOf?(run: RunId): string | undefined;
  /** What it may reach; undefined leaves it the rights of this process. */
  confine?(of: { run: RunId; agent: string }, rights: Rights, way: WayOut): Promise<HeldProcess | undefined>;
  /** An agent of a run has printed something. */
  onSign?(run: RunId): void;
  /** Gets what agents print to stderr, as it comes and not scrubbed. Must not throw. */
  onLog?: LogListener;
  limits?: Pick<Partial<SpawnLimits>, 'graceMs'>;
};
/** How it leaves its sandbox: by ports of loopback, and by a host that a person has opened for this once. */
export type WayOut = { ports: readonly number[]; opened?: string | undefined; onRefused?(target: string): void };
type HeldProcess = { confined: Confined; env?: Readonly<Record<string, string>>; end(): Promise<void> };

export type Job = {
  held: Held;
  ask: Ask;
  rights: Rights;
  way: WayOut;
  env: Readonly<Record<string, string>>;
  /** What it reads; or who is given the stream to write to once it runs, with what ends it. */
  stdin: string | Uint8Array | ((to: Writable, stop: () => void) => void);
  signal: AbortSignal;
  /** `stop` ends it, when there is no use in going on. */
  onOutput(chunk: Buffer, stop: () => void): void;
  /** What it prints to stderr is its live log, unless it has one of its own. */
  log?: 'stderr' | 'own';
};

/** How a process ended, with the end of what it printed to stderr; or why there was none. */
export type ProcessEnd = { end: SpawnEnd; stderr: string } | { outcome: AskOutcome };

/** Of stderr, for the reason of a failure. */
const STDERR_BYTES_MAX = 64 * 1024;

/** Runs the program of an agent in the workspace of its run, to the end of everything it started. */
export async function runProcess(job: Job, options: ProcessOptions): Promise<ProcessEnd> {
  const { held, ask, rights, signal } = job;
  const { run } = held;
  const workspace = await options.workspaceOf(run);
  if (workspace === undefined) return { outcome: failed('crash', 'the run has no workspace') };
  if (!statSync(workspace, { throwIfNoEntry: false })?.isDirectory()) {
    return { outcome: failed('workspace', `there is no folder ${workspace}`) };
  }
  const worklog = options.worklogOf?.(run);
  const stop = new AbortController();
  const onAbort = (): void => stop.abort();
  signal.addEventListener('abort', onAbort);
  if (signal.aborted) onAbort();
  const confined = await options.confine?.({ run, agent: ask.agent }, rights, job.way);
  const of = { run, handoff: ask.key, attempt: ask.attempt };
  try {
    const spawned = await spawnGated({
      ...of,
      ...{ epoch: held.epoch, gate: options.gate, argv: rights.argv, cwd: workspace, workspace },
      confined: confined?.confined,
      env: { ...confined?.env, ...job.env, ...(worklog !== undefined && { BATON_WORKLOG: worklog }) },
      stdin: typeof job.stdin === 'function' ? 'open' : { text: job.stdin },
      signal: stop.signal,
      limits: { ...options.limits, outputBytesMax: STDERR_BYTES_MAX },
    });
    if (spawned.type !== 'started') return { outcome: outcomeWithoutRun(spawned) };
    const { stdin, stdout, stderr, ended } = spawned.process;
    const sign = (): void => options.onSign?.(run);
    stdout.onChunk((chunk) => {
      sign();
      job.onOutput(chunk, onAbort);
    });
    const log = job.log === 'own' ? undefined : liveLog(of, options.onLog);
    stderr.onChunk((chunk) => {
      sign();
      log?.write(chunk);
    });
    if (typeof job.stdin === 'function' && stdin) job.stdin(stdin, onAbort);
    const end = await ended;
    log?.end();
    return { end, stderr: stderr.text() };
  } finally {
    await confined?.end();
    signal.removeEventListener('abort', onAbort);
  }
}

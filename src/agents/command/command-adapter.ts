import { statSync } from 'node:fs';
import type { Ask } from '../../core/kernel/effect.js';
import type { AskOutcome, Held, RunId } from '../../engine/ports.js';
import type { Gate } from '../../sandbox/process-rows.js';
import type { Confined } from '../../sandbox/sandbox.js';
import { type SpawnLimits, type SpawnRequest, spawnGated } from '../../sandbox/spawn-gated.js';
import { type Adapter, failed } from '../adapter.js';
import type { CommandSpec } from '../agent-spec.js';
import type { Access, Metering } from '../metering/metering.js';
import { providerOfKey } from '../metering/providers.js';
import { agentEnvironment } from './agent-environment.js';
import { AnswerBytes } from './answer-bytes.js';
import { type LogListener, liveLog } from './live-log.js';
import { outcomeOf, outcomeWithoutRun } from './outcome-of.js';

export type CommandOptions = {
  gate: Gate;
  /** Where the agents of a run work; undefined when it has no folder. */
  workspaceOf(run: RunId): Promise<string | undefined> | string | undefined;
  /** Names of further variables that the run passes on to its agents. */
  envNamesOf?(run: RunId): Promise<readonly string[]> | readonly string[];
  /** How providers are reached: the keys of those that are named stay here. */
  metering: Pick<Metering, 'during'>;
  /** What it may reach, with these ports of loopback; undefined leaves it the rights of this process. */
  confine?(run: RunId, spec: CommandSpec, ports: readonly number[]): Promise<HeldCommand | undefined>;
  /** Gets what agents print to stderr, as it comes and not scrubbed. Must not throw. */
  onLog?: LogListener;
  limits?: Pick<Partial<SpawnLimits>, 'graceMs'>;
};

type HeldCommand = { confined: Confined; env?: Readonly<Record<string, string>>; end(): Promise<void> };

/** Of stderr, for the reason of a failure. */
const STDERR_BYTES_MAX = 64 * 1024;

/** The request on stdin, the answer on stdout, the log on stderr; the exit code says how it went. */
export function commandAdapter(spec: CommandSpec, options: CommandOptions): Adapter {
  return async (held, ask, request, signal) => {
    const names = [...spec.env, ...((await options.envNamesOf?.(held.run)) ?? [])];
    const needs = names.flatMap((name) => providerOfKey(name) ?? []).map((provider) => ({ provider, optional: true }));
    const of = { run: held.run, handoff: ask.key, attempt: ask.attempt };
    return options.metering.during(of, needs, signal, (access) => {
      const env = { ...agentEnvironment(access.environment, names), ...access.env };
      return runOnce(held, ask, request, { ...access, env });
    });
  };

  async function runOnce(
    { run, epoch }: Held,
    { key, attempt }: Ask,
    request: Uint8Array,
    { signal, env, ports }: Access,
  ): Promise<AskOutcome> {
    const workspace = await options.workspaceOf(run);
    if (workspace === undefined) return failed('crash', 'the run has no workspace');
    if (!statSync(workspace, { throwIfNoEntry: false })?.isDirectory()) {
      return failed('workspace', `there is no folder ${workspace}`);
    }
    const stop = new AbortController();
    const onAbort = (): void => stop.abort();
    signal.addEventListener('abort', onAbort);
    if (signal.aborted) onAbort();
    const held = await options.confine?.(run, spec, ports);
    const spawn: SpawnRequest = {
      confined: held?.confined,
      gate: options.gate,
      run,
      epoch,
      handoff: key,
      attempt,
      argv: spec.argv,
      cwd: workspace,
      workspace,
      env: { ...held?.env, ...env },
      stdin: { text: request },
      signal: stop.signal,
      limits: { ...options.limits, outputBytesMax: STDERR_BYTES_MAX },
    };
    try {
      const spawned = await spawnGated(spawn);
      if (spawned.type !== 'started') return outcomeWithoutRun(spawned);
      const { stdout, stderr, ended } = spawned.process;
      // An answer that is too large will not be read: whoever writes it need not go on.
      const answer = new AnswerBytes(onAbort);
      stdout.onChunk((chunk) => answer.add(chunk));
      const log = liveLog({ run, handoff: key, attempt }, options.onLog);
      stderr.onChunk(log.write);
      const end = await ended;
      log.end();
      return outcomeOf(end, answer, stderr.text());
    } finally {
      await held?.end();
      signal.removeEventListener('abort', onAbort);
    }
  }
}

import path from 'node:path';
import type { Commands } from '../engine/ports.js';
import type { Gate } from './process-rows.js';
import type { Confined } from './sandbox.js';
import { type SpawnLimits, spawnGated } from './spawn-gated.js';

/** An Exec is done at least once and has no attempts of its own; its key names the handoff. */
const ATTEMPT = 1;

type CommandsOptions = {
  env: (run: string) => Readonly<Record<string, string>>;
  /** What one that runs in this folder may reach; absent or undefined leaves it the rights of this process. */
  confine?: (cwd: string) => Promise<Confined | undefined>;
  limits?: Partial<SpawnLimits>;
};

/**
 * Runs the commands of machines behind the gate. The exit code is null when a signal or an abort ended the command;
 * 126 and 127 also when it was not found. Rejects when it could not be started, or what it left could not be ended.
 */
export function createCommands(gate: Gate, { env, confine, limits }: CommandsOptions): Commands {
  return {
    async execute({ run, epoch }, { key, argv, cwd: folder }, signal) {
      const cwd = path.resolve(folder); // a sandbox begins in a root of its own
      const spawned = await spawnGated({
        gate,
        run,
        epoch,
        handoff: key,
        attempt: ATTEMPT,
        argv,
        cwd,
        env: env(run),
        confined: await confine?.(cwd),
        merge: true,
        signal,
        ...(limits && { limits }),
      });
      switch (spawned.type) {
        case 'aborted':
          return { exitCode: null, output: '' };
        case 'not-found':
          return { exitCode: spawned.exitCode, output: spawned.reason };
        case 'not-started':
          throw new Error(`${argv[0]} could not be started: ${spawned.reason}`);
        case 'started': {
          const { ended, stdout } = spawned.process;
          const { exitCode, aborted, remaining } = await ended;
          if (remaining.length > 0) throw new Error(`could not end ${remaining.map(named).join(', ')}`);
          return { exitCode: aborted ? null : exitCode, output: stdout.text() };
        }
      }
    },
  };
}

const named = ({ pid, name }: { pid: number; name: string }): string => `${name} (${pid})`;

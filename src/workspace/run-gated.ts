import type { Clock, Held } from '../engine/ports.js';
import type { Gate } from '../sandbox/process-rows.js';
import type { Confined } from '../sandbox/sandbox.js';
import { spawnGated } from '../sandbox/spawn-gated.js';

/** On whose behalf processes are started: a run, what it is doing, and what ends it. */
export type Errand = { gate: Gate; clock: Clock; held: Held; key: string; signal: AbortSignal };

export type GatedCommand = {
  argv: readonly string[];
  cwd: string;
  env: Readonly<Record<string, string>>;
  stdin?: string | Uint8Array;
  merge?: boolean;
  msMax: number;
  outputBytesMax?: number;
  onOutput?: (chunk: Buffer) => void;
  staysInGroup?: boolean;
  confined?: Confined | undefined;
};

export type CommandEnd = {
  /** Null when a signal ended it; 126 and 127 also when it was not found. */
  exitCode: number | null;
  found: boolean;
  timedOut: boolean;
  stdout: string;
  stderr: string;
  ms: number;
};

export class Aborted extends Error {
  override readonly name = 'Aborted';
}

/** Nothing of it has run. */
export class NotStarted extends Error {
  override readonly name = 'NotStarted';
}

/** A deed that is done again is the same attempt of the same effect. */
const ATTEMPT = 1;

/** Runs one command behind the gate, to its end. Rejects when it was aborted, could not start, or left something. */
export async function runGated(errand: Errand, command: GatedCommand): Promise<CommandEnd> {
  const { gate, clock, held, key, signal } = errand;
  const {
    argv,
    cwd,
    env,
    stdin,
    merge = false,
    msMax,
    outputBytesMax,
    onOutput,
    staysInGroup = false,
    confined,
  } = command;
  const startedMs = clock.monotonicMs();
  const tooLong = new AbortController();
  const forget = clock.after(msMax, () => tooLong.abort());
  try {
    const spawned = await spawnGated({
      gate,
      ...held,
      handoff: key,
      attempt: ATTEMPT,
      argv,
      cwd,
      env,
      merge,
      staysInGroup,
      confined,
      signal: AbortSignal.any([signal, tooLong.signal]),
      ...(stdin !== undefined && { stdin: { text: stdin } }),
      ...(outputBytesMax !== undefined && { limits: { outputBytesMax } }),
    });
    const ms = (): number => Math.round(clock.monotonicMs() - startedMs);
    switch (spawned.type) {
      case 'aborted':
        throw new Aborted(`${argv[0]} was not run`);
      case 'not-started':
        throw new NotStarted(`${argv[0]} could not be started: ${spawned.reason}`);
      case 'not-found': {
        const { exitCode, reason } = spawned;
        return { exitCode, found: false, timedOut: false, stdout: reason, stderr: reason, ms: ms() };
      }
      case 'started': {
        const { stdout, stderr, ended } = spawned.process;
        if (onOutput) stdout.onChunk(onOutput);
        const { exitCode, aborted, remaining } = await ended;
        if (remaining.length > 0) throw new Error(`could not end what ${argv[0]} started`);
        if (aborted && signal.aborted) throw new Aborted(`${argv[0]} was ended`);
        return { exitCode, found: true, timedOut: aborted, stdout: stdout.text(), stderr: stderr.text(), ms: ms() };
      }
    }
  } finally {
    forget();
  }
}

import { type ChildProcess, spawn } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import { CappedOutput } from './capped-output.js';
import { GATE_DESCRIPTOR, gateCommand, RELEASE } from './gate-command.js';
import { MARKER_NAMES, type Marker, markerEnvironment } from './process-marker.js';
import { type ProcessInfo, processSource } from './process-source.js';
import type { Wrapped } from './sandbox.js';

export type Exit = { exitCode: number | null; signal: string | null };

export type WaitingRequest = {
  marker: Marker;
  file: string;
  args: readonly string[];
  cwd: string;
  /** It runs there or nowhere, whatever the path leads to by then. */
  isExact?: boolean;
  workspace: string | undefined;
  stdin: { text: string | Uint8Array } | 'open' | undefined;
  merge: boolean;
  outputBytesMax: number;
  /** Of this process; the command has them as 4, 5, … */
  descriptors: readonly number[];
  wrapped: Wrapped;
};

const DRAIN_MS_MAX = 1_000;
const REAP_MS_MAX = 1_000;
const SIGNS_LENGTH_MAX = 1024;
const ENV_NAME = /^[A-Za-z_][A-Za-z0-9_]*$/;

/** A process in a session of its own that waits behind the gate, and the only hands that touch its streams. */
export class WaitingChild {
  readonly info: ProcessInfo;
  readonly stdout: CappedOutput;
  readonly stderr: CappedOutput;
  readonly exit: Promise<Exit>;
  /** Stays open when it exits before. */
  readonly ready: Promise<void>;
  readonly #child: ChildProcess;

  private constructor(child: ChildProcess, info: ProcessInfo, { outputBytesMax, wrapped }: WaitingRequest) {
    this.#child = child;
    this.info = info;
    this.exit = new Promise((resolve) => child.once('exit', (exitCode, signal) => resolve({ exitCode, signal })));
    this.ready = signsSeen(child.stdio[GATE_DESCRIPTOR] as Readable, wrapped.signs);
    this.stdout = collect(child.stdout, outputBytesMax);
    this.stderr = collect(child.stderr, outputBytesMax);
  }

  static async start(request: WaitingRequest): Promise<WaitingChild | { reason: string }> {
    const { file, args, cwd, isExact = false, merge, stdin, descriptors, wrapped } = request;
    const env = environmentOf(request);
    const command = gateCommand(file, args, {
      ...{ env, merge, passed: descriptors.length, folder: isExact ? cwd : undefined, wrapped },
    });
    let child: ChildProcess;
    try {
      const usual = [stdin === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe', 'pipe'] as const;
      const stdio = [...usual, ...descriptors, ...wrapped.payloads.map(() => 'pipe' as const), ...wrapped.lent];
      child = spawn(command.file, command.args, { cwd, env, detached: true, stdio });
    } catch (problem) {
      return { reason: String(problem) }; // such as arguments that are too long
    }
    for (const stream of child.stdio) stream?.on('error', () => {}); // a torn pipe is seen as its exit
    if (child.pid === undefined) return { reason: await failureOf(child) };
    const info = processSource.find(child.pid);
    if (!info) {
      for (const stream of child.stdio) stream?.destroy(); // closes the gate: whatever is there exits
      return { reason: 'the process could not be looked at' };
    }
    if (typeof stdin === 'object') child.stdin?.end(stdin.text);
    const firstPayload = GATE_DESCRIPTOR + 1 + descriptors.length;
    wrapped.payloads.forEach((bytes, index) => {
      (child.stdio[firstPayload + index] as Writable).end(bytes);
    });
    return new WaitingChild(child, info, request);
  }

  get stdin(): Writable | null {
    return this.#child.stdin;
  }

  get hasExited(): boolean {
    return this.#child.exitCode !== null || this.#child.signalCode !== null;
  }

  release(): void {
    this.#gate.end(RELEASE);
  }

  /** Alone, for a child that nobody else knows of. */
  kill(): void {
    this.#child.kill('SIGKILL');
  }

  closeGate(): void {
    this.#gate.destroy();
  }

  /** How it exited, after its last output was read. Whoever could not be ended may hold the pipes open for ever. */
  async collected(): Promise<Exit> {
    const how = await within(REAP_MS_MAX, this.exit, { exitCode: null, signal: null });
    const outputs = [this.#child.stdout, this.#child.stderr].filter((stream) => stream !== null);
    const closed = outputs.map((stream) => stream.closed || new Promise((resolve) => stream.once('close', resolve)));
    await within(DRAIN_MS_MAX, Promise.all(closed), []);
    for (const stream of this.#child.stdio) stream?.destroy();
    return how;
  }

  get #gate(): Writable {
    return this.#child.stdio[GATE_DESCRIPTOR] as Writable;
  }
}

function environmentOf({ marker, workspace, wrapped }: WaitingRequest): Record<string, string> {
  const given = Object.entries(wrapped.env).filter(([name]) => ENV_NAME.test(name) && !MARKER_NAMES.includes(name));
  return {
    ...markerEnvironment(marker, process.env),
    ...Object.fromEntries(given),
    ...(workspace !== undefined && { BATON_WORKSPACE: workspace }),
  };
}

function collect(stream: Readable | null, bytesMax: number): CappedOutput {
  const output = new CappedOutput(bytesMax);
  stream?.on('data', (chunk: Buffer) => output.write(chunk));
  return output;
}

async function signsSeen(gate: Readable, signs: readonly string[]): Promise<void> {
  if (signs.length === 0) return;
  let text = '';
  await new Promise<void>((resolve) => {
    gate.on('data', (chunk: Buffer) => {
      if (text.length < SIGNS_LENGTH_MAX) text += chunk.toString('latin1');
      if (signs.every((sign) => text.split('\n').includes(sign))) resolve();
    });
  });
}

function failureOf(child: ChildProcess): Promise<string> {
  return new Promise((resolve) => child.once('error', (problem) => resolve(problem.message)));
}

async function within<T>(delayMs: number, promise: Promise<T>, otherwise: T): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<T>((resolve) => {
    timer = setTimeout(() => resolve(otherwise), delayMs);
  });
  return Promise.race([promise, late]).finally(() => clearTimeout(timer));
}

import type { ReadBuffer, serializeMessage } from '@modelcontextprotocol/sdk/shared/stdio.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import type { Clock } from '../../engine/ports.js';
import { type GatedProcess, type SpawnEnd, type SpawnRequest, spawnGated } from '../../sandbox/spawn-gated.js';
import { failure, ToolProblem } from '../tool.js';

/** So long a server may take to leave when nobody writes to it any more. */
const LEAVE_MS_MAX = 2_000;
const SAID_BYTES_MAX = 64 * 1024;

/** How messages are told from lines; the protocol's own, loaded when needed. */
type Lines = { buffer: ReadBuffer; line: typeof serializeMessage };
type Start = Omit<SpawnRequest, 'stdin' | 'limits' | 'signal'> & {
  name: string;
  clock: Pick<Clock, 'after'>;
  signal: AbortSignal;
};

/**
 * A server of the Model Context Protocol as a process behind the gate. The protocol's own transport would start it
 * past the record of processes: it would outlive a Baton that is killed.
 */
export class GatedTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  readonly #start: Start;
  readonly #lines: Lines;
  readonly #leave = new AbortController();
  #process: GatedProcess | undefined;
  #end: SpawnEnd | undefined;

  constructor(start: Start, lines: Lines) {
    this.#start = start;
    this.#lines = lines;
  }

  /** What it ended with by itself, with what it said; undefined while it runs, or when it was ended. */
  get ended(): { exitCode: number | null; stderr: string } | undefined {
    if (!this.#end || this.#end.aborted) return undefined;
    return { exitCode: this.#end.exitCode, stderr: this.#process?.stderr.text() ?? '' };
  }

  async start(): Promise<void> {
    const { name, clock: _, signal, ...request } = this.#start;
    const spawned = await spawnGated({
      ...request,
      stdin: 'open',
      signal: AbortSignal.any([signal, this.#leave.signal]),
      limits: { outputBytesMax: SAID_BYTES_MAX },
    });
    if (spawned.type === 'aborted') throw new Error(`${name} was not started`);
    if (spawned.type === 'not-found') throw new ToolProblem(failure('ToolNotFound', `${name}: ${spawned.reason}`));
    if (spawned.type === 'not-started') throw new ToolProblem(failure('ToolError', `${name}: ${spawned.reason}`));
    this.#process = spawned.process;
    spawned.process.stdout.onChunk((chunk) => this.#receive(chunk));
    const told = (end?: SpawnEnd): void => {
      this.#end = end;
      this.onclose?.();
    };
    void spawned.process.ended.then(told, () => told()); // why, is said by close
  }

  async send(message: JSONRPCMessage): Promise<void> {
    this.#process?.stdin?.write(this.#lines.line(message));
  }

  /** Rejects when something that it started could not be ended. */
  async close(): Promise<void> {
    if (!this.#process) return;
    this.#process.stdin?.end();
    const forget = this.#start.clock.after(LEAVE_MS_MAX, () => this.#leave.abort());
    const { remaining } = await this.#process.ended;
    forget();
    if (remaining.length > 0) throw new Error(`could not end what ${this.#start.name} started`);
  }

  #receive(chunk: Buffer): void {
    try {
      this.#lines.buffer.append(chunk);
    } catch (problem) {
      this.onerror?.(problem as Error); // endless line: nothing of it can be an answer
      this.#leave.abort();
      return;
    }
    for (;;) {
      try {
        const message = this.#lines.buffer.readMessage();
        if (message === null) return;
        this.onmessage?.(message);
      } catch (problem) {
        this.onerror?.(problem as Error); // a line that is no message is passed over
      }
    }
  }
}

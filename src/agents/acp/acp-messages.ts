import type { Writable } from 'node:stream';
import type { AnyMessage, Stream } from '@agentclientprotocol/sdk';
import { EventLines } from '../cli/event-lines.js';
import { type Fields, fields } from '../cli/fields.js';

/** Of everything an agent prints in one attempt. */
export const OUTPUT_BYTES_MAX = 256 * 1024 * 1024;

/**
 * Lines on standard input and output as the messages of the SDK. What it would complain about aloud does not reach it:
 * whatever is no message, answers to nothing it asked, and notes it does not know.
 */
export class AcpMessages {
  readonly stream: Stream;
  private readonly onUpdate: (params: Fields) => void;
  private readonly lines = new EventLines((event) => this.receive(event));
  private readonly asked = new Set<unknown>();
  private controller: ReadableStreamDefaultController<AnyMessage> | undefined;
  private to: Writable | undefined;
  private bytes = 0;

  constructor(onUpdate: (params: Fields) => void) {
    this.onUpdate = onUpdate;
    this.stream = {
      readable: new ReadableStream<AnyMessage>({
        start: (controller) => {
          this.controller = controller;
        },
      }),
      writable: new WritableStream<AnyMessage>({ write: (message) => this.send(message) }),
    };
  }

  get tooMuch(): boolean {
    return this.bytes > OUTPUT_BYTES_MAX;
  }

  open(to: Writable): void {
    this.to = to;
  }

  add(chunk: Buffer): void {
    this.bytes += chunk.length;
    if (!this.tooMuch) this.lines.add(chunk);
  }

  /** Nothing more comes. */
  end(): void {
    if (!this.tooMuch) this.lines.end();
    try {
      this.controller?.close();
    } catch {
      // whoever reads has closed it already
    }
    this.controller = undefined;
  }

  private receive(event: Fields): void {
    if (event.jsonrpc !== '2.0') return;
    const isRequest = typeof event.method === 'string';
    if (isRequest && !('id' in event)) {
      if (event.method === 'session/update') this.onUpdate(fields(event.params));
      return;
    }
    if (!isRequest && !this.asked.delete(event.id)) return;
    try {
      this.controller?.enqueue(event as AnyMessage);
    } catch {
      // whoever reads has closed it already
    }
  }

  private send(message: AnyMessage): void {
    if ('method' in message && 'id' in message) this.asked.add(message.id);
    if (this.to?.writable) this.to.write(`${JSON.stringify(message)}\n`);
  }
}

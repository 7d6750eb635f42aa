import type { AnswerCount } from './answer-count.js';
import { eventData, SseBlocks } from './sse-blocks.js';
import { record, type Wire } from './wires/wire.js';

/** Counts an answer while it goes by. What comes in goes out again, byte for byte. */
export interface AnswerReader {
  /** What can go on to the agent now. */
  add(chunk: Buffer): Buffer | null;
  /** What is left of it, when it has ended or was broken off. */
  end(): Buffer | null;
  /** Whether an error can be said in the words of the wire after what went out. */
  readonly canSayError: boolean;
}

export class StreamReader implements AnswerReader {
  readonly #blocks = new SseBlocks();
  readonly #wire: Wire;
  readonly #count: AnswerCount;

  constructor(wire: Wire, count: AnswerCount) {
    this.#wire = wire;
    this.#count = count;
  }

  get canSayError(): boolean {
    return this.#blocks.atBoundary;
  }

  add(chunk: Buffer): Buffer | null {
    const block = this.#blocks.add(chunk);
    if (!block) return null;
    if (!block.whole) this.#count.unreadBytes += block.bytes.length;
    else for (const data of eventData(block.bytes)) if (!this.#read(data)) this.#count.unreadBytes += data.length;
    return block.bytes;
  }

  /** Some end without the blank line. Half an event says nothing. */
  end(): Buffer | null {
    const rest = this.#blocks.rest();
    for (const data of eventData(Buffer.concat([rest, Buffer.from('\n\n')]))) this.#read(data);
    return rest;
  }

  #read(data: string): boolean {
    if (data.trim() === '[DONE]') {
      this.#count.finished = true;
      return true;
    }
    try {
      this.#wire.readEvent(record(JSON.parse(data)), this.#count);
      return true;
    } catch {
      return false;
    }
  }
}

/** Longer ones are counted by their bytes. */
const KEPT_BYTES_MAX = 8 * 1024 * 1024;

export class BodyReader implements AnswerReader {
  readonly canSayError = false;
  readonly #wire: Wire;
  readonly #count: AnswerCount;
  #kept: Buffer[] = [];

  constructor(wire: Wire, count: AnswerCount) {
    this.#wire = wire;
    this.#count = count;
  }

  add(chunk: Buffer): Buffer {
    this.#count.unreadBytes += chunk.length;
    if (this.#count.unreadBytes <= KEPT_BYTES_MAX) this.#kept.push(chunk);
    else this.#kept = [];
    return chunk;
  }

  end(): null {
    if (this.#kept.length === 0) return null;
    try {
      const body = record(JSON.parse(Buffer.concat(this.#kept).toString()));
      this.#count.unreadBytes = 0;
      this.#wire.readBody(body, this.#count);
    } catch {
      // No JSON, or half of it: its bytes are all that is known of it, and they are counted.
    }
    return null;
  }
}

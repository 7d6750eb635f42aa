import type { WireEvent } from '../engine/session/session-desk.js';

const WAITING_MAX = 64;

/** Events between who makes them and one who reads them. More than a few are not taken before some were read. */
export class EventQueue implements AsyncIterable<WireEvent> {
  private readonly waiting: WireEvent[] = [];
  private isOver = false;
  private wakeReader: (() => void) | undefined;
  private readonly writers: (() => void)[] = [];

  /** The promise says when there is room again. */
  add(event: WireEvent): Promise<void> | undefined {
    if (this.isOver) return undefined;
    this.waiting.push(event);
    this.wakeReader?.();
    if (this.waiting.length < WAITING_MAX) return undefined;
    return new Promise((resolve) => this.writers.push(resolve));
  }

  /** What waits is still read. */
  end(): void {
    this.isOver = true;
    this.wakeReader?.();
    this.makeRoom();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<WireEvent> {
    for (;;) {
      const event = this.waiting.shift();
      if (event) {
        if (this.waiting.length < WAITING_MAX) this.makeRoom();
        yield event;
      } else if (this.isOver) {
        return;
      } else {
        await new Promise<void>((resolve) => {
          this.wakeReader = resolve;
        });
      }
    }
  }

  private makeRoom(): void {
    for (const go of this.writers.splice(0)) go();
  }
}

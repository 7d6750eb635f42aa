import type { Writable } from 'node:stream';

/** There is room, or nobody is there any more; `cancelled` is what calls of gRPC say. */
const ENDS = ['drain', 'close', 'cancelled'] as const;

/** Writes to a stream, and says when there is room again. A stream that has gone has room for everything. */
export class WritableRoom {
  private readonly stream: Writable;
  private drained: Promise<void> | undefined;

  constructor(stream: Writable) {
    this.stream = stream;
  }

  write(chunk: unknown): Promise<void> | undefined {
    const { stream } = this;
    if (stream.destroyed || stream.writableEnded) return undefined;
    if (stream.write(chunk)) return undefined;
    this.drained ??= new Promise((resolve) => {
      const go = () => {
        for (const event of ENDS) stream.off(event, go);
        this.drained = undefined;
        resolve();
      };
      for (const event of ENDS) stream.on(event, go);
    });
    return this.drained;
  }
}

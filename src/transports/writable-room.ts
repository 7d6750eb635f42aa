import type { Writable } from 'node:stream';

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
        stream.off('drain', go);
        stream.off('close', go);
        this.drained = undefined;
        resolve();
      };
      stream.on('drain', go);
      stream.on('close', go);
    });
    return this.drained;
  }
}

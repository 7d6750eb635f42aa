import { Worker } from 'node:worker_threads';

const MEMORY_MIB_MAX = 64;

/** Written as text, so that it needs no file of its own where Baton is installed. */
const MATCHING = `
const { parentPort, workerData } = require('node:worker_threads');
const pattern = new RegExp(workerData.source);
parentPort.on('message', (lines) => {
  parentPort.postMessage(lines.flatMap((line, index) => (pattern.test(line) ? [index] : [])));
});
`;

/** Tries one pattern on lines, apart from everything else. It is asked one thing at a time. */
export class PatternThread {
  readonly #worker: Worker;
  #answer: (found: number[] | undefined) => void = () => {};
  #hasEnded = false;

  constructor(source: string) {
    const resourceLimits = { maxOldGenerationSizeMb: MEMORY_MIB_MAX };
    this.#worker = new Worker(MATCHING, { eval: true, workerData: { source }, env: {}, resourceLimits });
    this.#worker.on('message', (found: number[]) => this.#answer(found));
    this.#worker.on('error', () => {}); // such as of its memory; its exit follows
    this.#worker.on('exit', () => {
      this.#hasEnded = true;
      this.#answer(undefined);
    });
  }

  /** Undefined when it has ended before it answered. */
  linesOf(lines: readonly string[]): Promise<number[] | undefined> {
    return new Promise((resolve) => {
      if (this.#hasEnded) return resolve(undefined);
      this.#answer = resolve;
      this.#worker.postMessage(lines);
    });
  }

  async end(): Promise<void> {
    await this.#worker.terminate();
  }
}

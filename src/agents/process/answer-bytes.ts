import { BYTES_MAX } from '../../contracts/shared/read-json.js';

/** Everything an agent answers, up to what is read of an answer at all. */
export class AnswerBytes {
  #chunks: Buffer[] = [];
  #bytes = 0;

  get tooLarge(): boolean {
    return this.#bytes > BYTES_MAX;
  }

  /** `onTooLarge` is called once. */
  add(chunk: Buffer, onTooLarge: () => void): void {
    if (this.tooLarge) return;
    this.#bytes += chunk.length;
    if (!this.tooLarge) {
      this.#chunks.push(chunk);
      return;
    }
    this.#chunks = [];
    onTooLarge();
  }

  /** Undefined when it is not UTF-8: a name in which bytes were replaced is another name. */
  text(): string | undefined {
    try {
      return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(Buffer.concat(this.#chunks));
    } catch {
      return undefined;
    }
  }
}

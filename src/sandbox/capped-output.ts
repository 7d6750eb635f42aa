/** Leaves room for the line that says how much is missing. */
const BYTES_MAX_MIN = 128;
/** Longer than a secret in one piece. */
const EDGE_BYTES = 8 * 1024;

/** Keeps the beginning and the end of what a process prints; the middle is counted and dropped. */
export class CappedOutput {
  readonly #headMax: number;
  readonly #tailMax: number;
  #head = Buffer.alloc(0);
  #headBytes = 0;
  /** A ring: the oldest byte lies at `#tailBytes % #tailMax` once it is full. Made when the head is full. */
  #tail: Buffer | undefined;
  #tailBytes = 0;
  readonly #listeners = new Set<(chunk: Buffer) => void>();

  constructor(bytesMax: number) {
    if (bytesMax < BYTES_MAX_MIN) throw new RangeError(`a cap of ${bytesMax} bytes is below ${BYTES_MAX_MIN}`);
    this.#headMax = Math.floor(bytesMax / 2);
    this.#tailMax = bytesMax - this.#headMax;
  }

  /** Everything ever written, kept or not. */
  get bytes(): number {
    return this.#headBytes + this.#tailBytes;
  }

  get droppedBytes(): number {
    return Math.max(0, this.#tailBytes - this.#tailMax);
  }

  /** Calls with every chunk as it comes, also with those that are not kept; what the listener keeps it must bound. */
  onChunk(listener: (chunk: Buffer) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  write(chunk: Buffer): void {
    const forHead = chunk.subarray(0, this.#headMax - this.#headBytes);
    this.#keepHead(forHead);
    this.#keepTail(chunk.subarray(forHead.length));
    for (const listener of this.#listeners) listener(chunk);
  }

  /** As text, with a line that says how much is missing; invalid bytes become U+FFFD. Never longer than the cap. */
  text(): string {
    const head = this.#head.subarray(0, this.#headBytes);
    if (this.droppedBytes === 0) {
      const whole = Buffer.concat([head, this.#orderedTail()]).toString('utf8');
      return cutToFit(whole, this.#headMax + this.#tailMax, 'head');
    }
    const notice = `\n[${this.droppedBytes} bytes left out]\n`;
    const headText = withoutSplitEnd(head).toString('utf8');
    const tailText = withoutSplitStart(this.#orderedTail()).toString('utf8');
    return (
      cutToFit(headText, this.#headMax - notice.length, 'head') + notice + cutToFit(tailText, this.#tailMax, 'tail')
    );
  }

  /**
   * The same without secrets. Where the middle is missing, what lies beside the gap is left out too: nobody would know
   * half of a secret again.
   */
  cleanText(clean: (text: string) => string): { text: string; droppedBytes: number } {
    if (this.droppedBytes === 0) return { text: clean(this.text()), droppedBytes: 0 };
    const edge = Math.min(EDGE_BYTES, Math.floor(this.#headMax / 4));
    const droppedBytes = this.droppedBytes + 2 * edge;
    const without = (text: string, keep: 'head' | 'tail') => cutToFit(text, Buffer.byteLength(text) - edge, keep);
    const head = without(clean(this.#head.subarray(0, this.#headBytes).toString('utf8')), 'head');
    const tail = without(clean(this.#orderedTail().toString('utf8')), 'tail');
    const notice = `\n[${droppedBytes} bytes left out]\n`;
    const text = cutToFit(head, this.#headMax - notice.length, 'head') + notice + cutToFit(tail, this.#tailMax, 'tail');
    return { text, droppedBytes };
  }

  #keepHead(chunk: Buffer): void {
    const needed = this.#headBytes + chunk.length;
    if (needed > this.#head.length) {
      const grown = Buffer.alloc(Math.min(this.#headMax, Math.max(needed, 2 * this.#head.length)));
      this.#head.copy(grown, 0, 0, this.#headBytes);
      this.#head = grown;
    }
    chunk.copy(this.#head, this.#headBytes);
    this.#headBytes = needed;
  }

  #keepTail(chunk: Buffer): void {
    if (chunk.length === 0) return;
    this.#tail ??= Buffer.alloc(this.#tailMax);
    const last = chunk.subarray(Math.max(0, chunk.length - this.#tailMax));
    const at = (this.#tailBytes + chunk.length - last.length) % this.#tailMax;
    const untilEnd = last.subarray(0, this.#tailMax - at);
    untilEnd.copy(this.#tail, at);
    last.subarray(untilEnd.length).copy(this.#tail, 0);
    this.#tailBytes += chunk.length;
  }

  #orderedTail(): Buffer {
    if (!this.#tail) return Buffer.alloc(0);
    if (this.#tailBytes <= this.#tailMax) return this.#tail.subarray(0, this.#tailBytes);
    const oldest = this.#tailBytes % this.#tailMax;
    return Buffer.concat([this.#tail.subarray(oldest), this.#tail.subarray(0, oldest)]);
  }
}

/** U+FFFD takes three bytes where the invalid byte took one, so text may be longer than what it was read from. */
function cutToFit(text: string, bytesMax: number, keep: 'head' | 'tail'): string {
  const bytes = Buffer.from(text, 'utf8');
  if (bytes.length <= bytesMax) return text;
  if (keep === 'head') return withoutSplitEnd(bytes.subarray(0, Math.max(0, bytesMax))).toString('utf8');
  return withoutSplitStart(bytes.subarray(bytes.length - Math.max(0, bytesMax))).toString('utf8');
}

const CHARACTER_BYTES_MAX = 4;
const isContinuation = (byte: number | undefined): boolean => byte !== undefined && (byte & 0xc0) === 0x80;

/** Drops the rest of a character whose beginning was cut off. */
function withoutSplitStart(bytes: Buffer): Buffer {
  let start = 0;
  while (start < CHARACTER_BYTES_MAX - 1 && isContinuation(bytes[start])) start += 1;
  return bytes.subarray(start);
}

/** Drops the beginning of a character whose rest was cut off. */
function withoutSplitEnd(bytes: Buffer): Buffer {
  let start = bytes.length - 1;
  while (start > 0 && bytes.length - start < CHARACTER_BYTES_MAX && isContinuation(bytes[start])) start -= 1;
  const first = bytes[start] ?? 0;
  const length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : first >= 0xc0 ? 2 : 1;
  return start >= 0 && start + length > bytes.length ? bytes.subarray(0, start) : bytes;
}

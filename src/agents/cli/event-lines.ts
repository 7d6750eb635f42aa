/** A line that is longer is no event anybody needs; it is passed over, not kept. */
const LINE_BYTES_MAX = 4 * 1024 * 1024;
const NEWLINE = 0x0a;
const BRACE = 0x7b;

/** One JSON object a line, as they come; whatever else is printed between them is passed over. */
export class EventLines {
  private readonly onEvent: (event: Readonly<Record<string, unknown>>) => void;
  private kept: Buffer[] = [];
  private bytes = 0;

  constructor(onEvent: (event: Readonly<Record<string, unknown>>) => void) {
    this.onEvent = onEvent;
  }

  add(chunk: Buffer): void {
    let from = 0;
    for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, from)) {
      this.keep(chunk.subarray(from, end));
      this.end();
      from = end + 1;
    }
    this.keep(chunk.subarray(from));
  }

  /** The last line may have no end. */
  end(): void {
    const kept = this.kept;
    if (this.bytes > 0) this.kept = [];
    this.bytes = 0;
    const event = kept.length > 0 ? objectIn(Buffer.concat(kept).toString()) : undefined;
    if (event) this.onEvent(event);
  }

  private keep(piece: Buffer): void {
    if (piece.length === 0) return;
    // What is no object is not worth a copy: there may be very much of it.
    const wanted = this.bytes > 0 ? this.kept.length > 0 : piece[0] === BRACE;
    this.bytes += piece.length;
    if (this.bytes > LINE_BYTES_MAX) this.kept = [];
    else if (wanted) this.kept.push(piece);
  }
}

function objectIn(line: string): Readonly<Record<string, unknown>> | undefined {
  try {
    return JSON.parse(line) as Record<string, unknown>;
  } catch {
    return undefined;
  }
}

import { EventPump } from '../../engine/session/event-pump.js';
import type { SessionDesk, WireEvent } from '../../engine/session/session-desk.js';

/** So much waits at most for the reader to take it; only then is more read. */
const PIECE_LENGTH = 64 * 1024;

type From = { after: number; signal: AbortSignal };

/** Every event of a session behind a seq, once and in order, and between them what is only streamed, until it is called off. */
export async function* sessionPieces(
  desk: Pick<SessionDesk, 'nextEvents' | 'watch' | 'live'>,
  session: string,
  { after, signal }: From,
): AsyncGenerator<string> {
  const pieces = new Pieces(signal);
  const pump = new EventPump({
    ...{ desk, session, after },
    // A session that has ended may be gone on with, and whoever looks sees it.
    endedBefore: Number.MAX_SAFE_INTEGER,
    onOver: () => {},
    send: (event) => pieces.add(messageOf(event)),
    onFailure: (failure) => pieces.fail(failure),
  });
  pump.start();
  try {
    yield* pieces;
  } finally {
    pump.stop();
    pieces.makeRoom();
  }
}

function messageOf(event: WireEvent): string {
  const id = event.seq === undefined ? '' : `id: ${event.seq}\n`;
  return `${id}data: ${JSON.stringify(event)}\n\n`;
}

/** Text between the one who makes it and the one who takes it. */
class Pieces implements AsyncIterable<string> {
  private text = '';
  private failed: { failure: unknown } | null = null;
  private wake: () => void = () => {};
  makeRoom: () => void = () => {};
  private readonly signal: AbortSignal;

  constructor(signal: AbortSignal) {
    this.signal = signal;
    signal.addEventListener('abort', () => this.wake());
  }

  /** The promise says when there is room for more. */
  add(text: string): Promise<void> | undefined {
    this.text += text;
    this.wake();
    if (this.text.length < PIECE_LENGTH) return undefined;
    return new Promise((resolve) => {
      this.makeRoom = resolve;
    });
  }

  fail(failure: unknown): void {
    this.failed = { failure };
    this.wake();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<string> {
    while (!this.signal.aborted) {
      const { text, failed } = this;
      this.text = '';
      this.makeRoom();
      if (text !== '') yield text;
      else if (failed) throw failed.failure;
      else
        await new Promise<void>((resolve) => {
          this.wake = resolve;
        });
    }
  }
}

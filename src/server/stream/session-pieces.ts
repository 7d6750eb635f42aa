import type { SessionDesk, WireEvent } from '../../engine/session/session-desk.js';

const PAGE = 200;
/** So much of what is only streamed waits for a slow client; above it is dropped, and its offsets say so. */
const WAITING_LENGTH_MAX = 256 * 1024;

type From = { after: number; signal: AbortSignal };

/** Every event of a session behind a seq, once and in order, and between them what is only streamed. */
export async function* sessionPieces(
  desk: Pick<SessionDesk, 'events' | 'watch' | 'live'>,
  run: string,
  { after, signal }: From,
): AsyncGenerator<string> {
  const bell = new Bell(signal);
  let streamed = '';
  const unwatch = desk.watch(run, () => bell.ring());
  let unlisten: (() => void) | undefined;
  /** Only whoever has everything that is stored is told what is open. */
  const listen = (): void => {
    unlisten = desk.live(run, (event) => {
      if (streamed.length < WAITING_LENGTH_MAX) streamed += messageOf(event);
      bell.ring();
    });
  };
  try {
    for (let cursor = after; !signal.aborted; ) {
      bell.quiet();
      const { events, next } = await desk.events(run, cursor, PAGE);
      // What was streamed came before what is stored of it.
      if (streamed !== '') yield take();
      if (events.length > 0) yield events.map(messageOf).join('');
      if (next === cursor && !unlisten) listen();
      if (next === cursor && streamed === '') await bell.rung();
      cursor = next;
    }
  } finally {
    unwatch();
    unlisten?.();
  }
  function take(): string {
    const piece = streamed;
    streamed = '';
    return piece;
  }
}

function messageOf(event: WireEvent): string {
  const id = event.seq === undefined ? '' : `id: ${event.seq}\n`;
  return `${id}data: ${JSON.stringify(event)}\n\n`;
}

/** Somebody waits until it is rung; a ring while nobody waits is not lost. */
class Bell {
  private isRung = false;
  private wake: () => void = () => {};
  private readonly signal: AbortSignal;

  constructor(signal: AbortSignal) {
    this.signal = signal;
    signal.addEventListener('abort', () => this.ring());
  }

  ring(): void {
    this.isRung = true;
    this.wake();
  }

  quiet(): void {
    this.isRung = false;
  }

  rung(): Promise<void> {
    if (this.isRung || this.signal.aborted) return Promise.resolve();
    return new Promise((resolve) => {
      this.wake = resolve;
    });
  }
}

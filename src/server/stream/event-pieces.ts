import type { EventFeed } from './event-feed.js';

/** At least this much at once, when there is so much. */
const PIECE_LENGTH = 64 * 1024;

/** Every event behind a position, of all runs or of one, in order and once, until it is called off. */
export async function* eventPieces(
  feed: EventFeed,
  { after, run, signal }: { after: number; run: string | undefined; signal: AbortSignal },
): AsyncGenerator<string> {
  for (let position = after; !signal.aborted; ) {
    const { lines, upTo } = await feed.behind(position, run);
    let piece = '';
    for (const { text } of lines) {
      piece += text;
      if (piece.length < PIECE_LENGTH) continue;
      yield piece;
      piece = '';
    }
    if (piece !== '') yield piece;
    if (upTo === position) await feed.more(position, signal);
    position = upTo;
  }
}

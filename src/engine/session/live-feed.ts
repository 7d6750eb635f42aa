import type { WireEvent } from './session-desk.js';

/** Pieces that wait until the client has what came before them. */
const WAITING_CHARS_MAX = 64 * 1024;
/** Items that are streamed to one client at once. */
const ITEMS_MAX = 1000;

type Piece = { event: WireEvent; item: string; offset: number; chars: number };

/**
 * What of the streamed text one client is sent. An item of which a piece was left out is not gone on with: half of a
 * text helps nobody, and the whole of it comes when it is stored.
 */
export class LiveFeed {
  private waiting: Piece[] = [];
  private waitingChars = 0;
  /** Where the next piece of an item must begin. */
  private readonly next = new Map<string, number>();

  /** `joins`: it is what is open of an item, for somebody who comes later; its beginning may be gone. */
  add(event: WireEvent, { joins }: { joins: boolean }): void {
    const piece = pieceOf(event);
    const expected = this.next.get(piece.item) ?? (joins ? piece.offset : 0);
    const fits = this.waitingChars + piece.chars <= WAITING_CHARS_MAX || (joins && this.waiting.length === 0);
    if (piece.offset !== expected || !fits) return;
    if (this.next.size >= ITEMS_MAX && !this.next.has(piece.item)) return;
    this.next.set(piece.item, piece.offset + piece.chars);
    this.waiting.push(piece);
    this.waitingChars += piece.chars;
  }

  take(): WireEvent | undefined {
    const piece = this.waiting.shift();
    if (piece) this.waitingChars -= piece.chars;
    return piece?.event;
  }

  /** A stored event goes out: what it holds as a whole is not streamed after it. */
  passed({ msg }: WireEvent): void {
    if (ENDS_ALL.has(msg.type)) this.forget(() => true);
    const item = msg[ENDS_ITEM[msg.type] ?? ''];
    if (typeof item === 'string') this.forget((key) => key.startsWith(`${item}/`));
  }

  private forget(isOver: (item: string) => boolean): void {
    for (const item of [...this.next.keys()]) if (isOver(item)) this.next.delete(item);
    this.waiting = this.waiting.filter(({ item }) => !isOver(item));
    this.waitingChars = this.waiting.reduce((sum, { chars }) => sum + chars, 0);
  }
}

const ENDS_ALL: ReadonlySet<string> = new Set(['turn_complete', 'turn_restarted', 'task_complete', 'error']);
/** Which field of a stored event names the item that it ends. */
const ENDS_ITEM: Readonly<Record<string, string>> = {
  agent_message: 'item_id',
  agent_reasoning: 'item_id',
  exec_command_end: 'call_id',
};

function pieceOf(event: WireEvent): Piece {
  const { type, item_id, call_id, stream, offset, delta } = event.msg;
  const item = `${String(item_id ?? call_id)}/${type}/${String(stream ?? '')}`;
  return { event, item, offset: Number(offset), chars: String(delta).length };
}

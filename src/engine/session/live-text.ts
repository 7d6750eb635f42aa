import type { RunId } from '../ports.js';
import type { WireEvent } from './session-desk.js';

/** A piece of what is only streamed. `id` is the task's; `offset` counts characters of the item. */
export type LivePiece = {
  run: RunId;
  id: string;
  item: string;
  type: 'message' | 'reasoning' | 'stdout' | 'stderr';
  text: string;
};

export type PlacedPiece = LivePiece & { offset: number };

/** What is streamed by the process that drives a session, for those who look at it from another one. */
export interface LiveRelay {
  /** `soFar` is asked when somebody begins to look. */
  tell(piece: PlacedPiece, soFar: () => readonly PlacedPiece[]): void;
  /** Nothing of the run is open any more. */
  over(run: RunId): void;
  follow(run: RunId, call: (piece: PlacedPiece) => void): () => void;
}

/** What is open of one item is kept up to here, for whoever comes later. */
const OPEN_CHARS_MAX = 256 * 1024;

type OpenItem = Omit<LivePiece, 'text'> & { start: number; text: string };
type Listener = (event: WireEvent) => void;

/** Words and output on their way to whoever looks. Nothing of it is kept: what counts is stored when it is whole. */
export class LiveText {
  private readonly items = new Map<RunId, Map<string, OpenItem>>();
  private readonly listeners = new Map<RunId, Set<Listener>>();
  private readonly relay: Pick<LiveRelay, 'tell' | 'over'> | undefined;

  constructor(relay?: Pick<LiveRelay, 'tell' | 'over'>) {
    this.relay = relay;
  }

  tell(piece: LivePiece): void {
    if (piece.text === '') return;
    const open = this.openItem(piece);
    const offset = open.start + open.text.length;
    open.text += piece.text;
    if (open.text.length > OPEN_CHARS_MAX) {
      const dropped = open.text.length - OPEN_CHARS_MAX;
      open.text = open.text.slice(dropped);
      open.start += dropped;
    }
    this.send(piece.run, deltaOf(piece, offset));
    this.relay?.tell({ ...piece, offset }, () => this.soFar(piece.run));
  }

  /** What was streamed of these is stored now, or void. */
  close(run: RunId, item?: string): void {
    const items = this.items.get(run);
    if (item === undefined) items?.clear();
    else for (const key of [...(items?.keys() ?? [])]) if (key.startsWith(`${item}/`)) items?.delete(key);
    if (items?.size !== 0) return;
    this.items.delete(run);
    this.relay?.over(run);
  }

  listen(run: RunId, call: Listener): () => void {
    for (const open of this.items.get(run)?.values() ?? []) call(deltaOf(open, open.start));
    const set = this.listeners.get(run) ?? new Set();
    this.listeners.set(run, set);
    set.add(call);
    return () => {
      set.delete(call);
      if (set.size === 0 && this.listeners.get(run) === set) this.listeners.delete(run);
    };
  }

  /** What was streamed of what is open. */
  soFar(run: RunId): readonly PlacedPiece[] {
    return [...(this.items.get(run)?.values() ?? [])].map(({ start, ...open }) => ({ ...open, offset: start }));
  }

  private openItem({ run, id, item, type }: LivePiece): OpenItem {
    const items = this.items.get(run) ?? new Map<string, OpenItem>();
    this.items.set(run, items);
    const key = `${item}/${type}`;
    const open = items.get(key) ?? { run, id, item, type, start: 0, text: '' };
    items.set(key, open);
    return open;
  }

  private send(run: RunId, event: WireEvent): void {
    for (const call of this.listeners.get(run) ?? []) call(event);
  }
}

export function deltaOf({ id, item, type, text }: Omit<LivePiece, 'run'>, offset: number): WireEvent {
  if (type === 'message' || type === 'reasoning') {
    return { id, msg: { type: `agent_${type}_delta`, item_id: item, offset, delta: text } };
  }
  return { id, msg: { type: 'exec_command_output_delta', call_id: item, stream: type, offset, delta: text } };
}

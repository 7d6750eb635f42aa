import type { BridgeBoard, BridgeCard } from '../contracts/api/bridge-shapes.js';
import type { Page } from '../contracts/api/page.js';
import type { Wire } from './wire.js';

/** Bridges can be looked at; whoever has the folder starts them, and answers go through the inbox. */
export function bridgesAt(wire: Wire) {
  return {
    /** As it is, or as it was behind one of its events. */
    board: (run: string, event?: number) =>
      wire.get<BridgeBoard>(`/api/v1/bridges/${encodeURIComponent(run)}`, { at: event }),
    /** What lists show of them; up to a hundred. */
    cards: (ids: readonly string[]) => wire.get<Page<BridgeCard>>('/api/v1/bridges', { ids: ids.join(',') }),
  };
}

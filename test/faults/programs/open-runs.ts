import type { EventStore } from '../../../src/engine/ports.js';

const PAGE = 1_000;
const ENDS = new Set(['ErrandDone', 'ErrandFailed', 'ErrandCanceled']);

/** Which runs have begun and not ended, followed in the journal. */
export class OpenRuns {
  readonly open = new Set<string>();
  private position = 0;
  private readonly store: Pick<EventStore, 'feed'>;

  constructor(store: Pick<EventStore, 'feed'>) {
    this.store = store;
  }

  async look(): Promise<void> {
    for (;;) {
      const rows = await this.store.feed(this.position, PAGE);
      for (const { run, type, position } of rows) {
        if (type === 'ErrandSubmitted') this.open.add(run);
        if (ENDS.has(type)) this.open.delete(run);
        this.position = Math.max(this.position, position);
      }
      if (rows.length < PAGE) return;
    }
  }
}

import type { Append, Appended, EventHead, EventRow, RunId } from '../../engine/ports.js';
import type { Outcome, WriteTask } from './write-tasks.js';

/**
 * The last events that this process has committed: whoever follows closely is answered without a read. Of many there
 * are the heads, an unbroken piece of the journal, of the last few the whole rows. A commit of another process between
 * two of ours begins a new piece.
 */
const HEADS_MAX = 8_192;
const ROWS_MAX = 256;
const ROW_CHARS_MAX = 8 * 1_024;

export class RecentEvents {
  #heads: EventHead[] = [];
  #rows: EventRow[] = [];

  /** After a commit; answers with the position of its last event, or undefined when it wrote none. */
  add(tasks: readonly WriteTask[], outcomes: readonly Outcome[]): number | undefined {
    let last: number | undefined;
    for (const [index, task] of tasks.entries()) {
      const outcome = outcomes[index];
      if (task.name !== 'append' || !outcome || 'failure' in outcome) continue;
      const answers = outcome.value as readonly Appended[];
      for (const [member, append] of task.args.entries()) {
        const answer = answers[member];
        if (answer?.type !== 'appended' || append.events.length === 0) continue;
        last = answer.position;
        this.#addAll(append, last - append.events.length);
      }
    }
    return last;
  }

  /** Fewer than there may be. Empty when what follows that position was not committed here, or too long ago. */
  after(position: number, limit: number): readonly EventHead[] {
    const [oldest] = this.#heads;
    if (!oldest || position + 1 < oldest.position) return [];
    const from = position + 1 - oldest.position;
    return this.#heads.slice(from, from + limit);
  }

  /** Those of one run that follow on each other behind a sequence number; likewise fewer than there may be. */
  eventsOf(run: RunId, after: number, limit: number): readonly EventRow[] {
    const found: EventRow[] = [];
    for (const row of this.#rows) {
      if (row.run !== run || row.seq !== after + found.length + 1) continue;
      found.push(row);
      if (found.length === limit) break;
    }
    return found;
  }

  #addAll({ run, events, fence }: Append, before: number): void {
    for (const [index, { seq, type, data, at, actor, key, hash }] of events.entries()) {
      const position = before + index + 1;
      this.#addHead({ position, run, seq });
      if (data.length > ROW_CHARS_MAX) continue;
      this.#rows.push({ position, run, seq, type, data, at, actor, key, epoch: fence ?? null, hash });
    }
    if (this.#rows.length > ROWS_MAX) this.#rows = this.#rows.slice(-ROWS_MAX / 2);
  }

  #addHead(head: EventHead): void {
    const youngest = this.#heads.at(-1);
    if (youngest && head.position !== youngest.position + 1) this.#heads = [];
    if (this.#heads.length >= HEADS_MAX) this.#heads = this.#heads.slice(HEADS_MAX / 2);
    this.#heads.push(head);
  }
}

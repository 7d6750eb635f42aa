import type { Appended, EventHead } from '../../engine/ports.js';
import type { Outcome, WriteTask } from './write-tasks.js';

/**
 * The heads of the last events that this process has committed, an unbroken piece of the journal: whoever follows it
 * closely is answered without a read. A commit of another process between two of ours begins a new piece.
 */
const HEADS_MAX = 8_192;

export class RecentEvents {
  #heads: EventHead[] = [];

  /** After a commit; answers with the position of its last event, or undefined when it wrote none. */
  add(tasks: readonly WriteTask[], outcomes: readonly Outcome[]): number | undefined {
    let last: number | undefined;
    for (const [index, task] of tasks.entries()) {
      const outcome = outcomes[index];
      if (task.name !== 'append' || !outcome || 'failure' in outcome) continue;
      const answers = outcome.value as readonly Appended[];
      for (const [member, { run, expected, events }] of task.args.entries()) {
        const answer = answers[member];
        if (answer?.type !== 'appended' || events.length === 0) continue;
        last = answer.position;
        const before = last - events.length;
        for (let nth = 1; nth <= events.length; nth += 1)
          this.#push({ position: before + nth, run, seq: expected + nth });
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

  #push(head: EventHead): void {
    const youngest = this.#heads.at(-1);
    if (youngest && head.position !== youngest.position + 1) this.#heads = [];
    if (this.#heads.length >= HEADS_MAX) this.#heads = this.#heads.slice(HEADS_MAX / 2);
    this.#heads.push(head);
  }
}

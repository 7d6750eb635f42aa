import { BatonError } from '../../contracts/shared/errors.js';
import type { Committed, Outcome, WriteName, Writes, WriteTask } from './write-tasks.js';

/**
 * Group commit. What arrives in one turn of the event loop, or while a commit is running, is the next transaction.
 *
 * Q1 At most one commit is under way.
 * Q2 Writes are committed, and answered, in the order they came.
 */
const TASKS_PER_COMMIT_MAX = 512;
const WAITING_MAX = 100_000;

type Value = Writes[WriteName]['result'];
/** Never rejects: failures are outcomes. */
type Commit = (tasks: readonly WriteTask[]) => Promise<Committed> | Committed;
/** Called after a commit that others may want to act on. */
export type OnNews = (tasks: readonly WriteTask[], outcomes: readonly Outcome[]) => void;
type Waiting = { task: WriteTask; resolve(value: Value): void; reject(failure: Error): void };

export class TickQueue {
  readonly #commit: Commit;
  readonly #onNews: OnNews;
  #waiting: Waiting[] = [];
  #draining: Promise<void> | undefined;
  #closed = false;

  constructor(commit: Commit, onNews: OnNews) {
    this.#commit = commit;
    this.#onNews = onNews;
  }

  write<Name extends WriteName>(name: Name, args: Writes[Name]['args']): Promise<Writes[Name]['result']> {
    return new Promise((resolve, reject) => {
      const refusal = this.#refusal();
      if (refusal) return reject(refusal);
      this.#waiting.push({ task: { name, args } as WriteTask, resolve, reject });
      this.#draining ??= new Promise((drained) => setImmediate(() => drained(this.#drain())));
    });
  }

  /** Takes nothing more; resolves when all that was taken is answered. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.#draining;
  }

  #refusal(): BatonError | undefined {
    if (this.#closed) return new BatonError('STORE_CLOSED', 'the store is closed');
    if (this.#waiting.length < WAITING_MAX) return undefined;
    return new BatonError('STORE_BUSY', `${WAITING_MAX} writes wait already`, { holders: [] });
  }

  async #drain(): Promise<void> {
    while (this.#waiting.length > 0) {
      const batch = this.#waiting.splice(0, TASKS_PER_COMMIT_MAX);
      const tasks = batch.map(({ task }) => task);
      const { outcomes, news } = await this.#commit(tasks);
      for (const [index, { resolve, reject }] of batch.entries()) settle(outcomes[index], resolve, reject);
      if (news) this.#onNews(tasks, outcomes);
      // Whoever was answered may write again in this turn and be part of the next transaction.
      await new Promise((next) => setImmediate(next));
    }
    this.#draining = undefined;
  }
}

function settle(outcome: Outcome | undefined, resolve: Waiting['resolve'], reject: Waiting['reject']): void {
  if (!outcome) reject(new BatonError('INTERNAL', 'a write has no outcome'));
  else if ('failure' in outcome) reject(outcome.failure);
  else resolve(outcome.value);
}

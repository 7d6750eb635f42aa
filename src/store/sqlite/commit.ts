import { BatonError } from '../../contracts/shared/errors.js';
import type { Transaction } from './append-group.js';
import { WriteLock } from './begin-immediate.js';
import { JournalWriter } from './journal-writer.js';
import { KnownRuns } from './known-runs.js';
import { describeHolders, findHolders } from './lock-holders.js';
import { isFatal, isOwnFault, storeError } from './sqlite-failure.js';
import { OPERATIONS, type WriteContext } from './write-operations.js';
import type { Committed, Outcome, WriteTask } from './write-tasks.js';

/**
 * The one place that writes. Everything of one tick is one transaction.
 *
 * W1 An outcome is given only after COMMIT returned, which is after the fsync (synchronous = FULL).
 * W2 A task that cannot be written fails alone: the transaction is rolled back and each of its tasks is tried by itself.
 * W3 After a failure of the disk nothing is ever written again here: pages the kernel could not write look clean.
 * W4 Positions are given inside the transaction from the head read there, so they have no gaps and follow commit order.
 */
export const LOCK_PATIENCE_MS_MAX = 5_000;

type Prepared = { task: WriteTask; value: unknown } | { failure: Error };

/** Without an event, these still make a run free for others. */
const NEWS: readonly WriteTask['name'][] = ['release', 'discharge'];

export class Committer {
  readonly #context: WriteContext;
  readonly #lock: WriteLock;
  readonly #known: KnownRuns;
  #dead: Error | undefined;

  constructor(context: WriteContext) {
    this.#context = context;
    this.#lock = new WriteLock(context.connection);
    this.#known = new KnownRuns(context.connection);
  }

  /** What is slow or touches files, done before the write lock is held. */
  prepare(tasks: readonly WriteTask[]): readonly Prepared[] {
    return tasks.map((task) => {
      if (this.#dead) return { failure: this.#dead };
      try {
        return { task, value: OPERATIONS[task.name].prepare(this.#context, task.args) };
      } catch (failure) {
        return { failure: this.#blame(failure) };
      }
    });
  }

  /** Undefined when the write lock was not free within `patienceMs`. */
  commit(prepared: readonly Prepared[], patienceMs: number): Committed | undefined {
    if (this.#dead) return this.fail(prepared, this.#dead);
    let committed: Committed;
    try {
      if (!this.#lock.begin(patienceMs)) return undefined;
      committed = this.#transact(prepared);
    } catch (failure) {
      this.#rollBack();
      const alone = prepared.length > 1 && isOwnFault(failure);
      return alone ? this.#commitEachAlone(prepared) : this.fail(prepared, this.#blame(failure));
    }
    return {
      ...committed,
      outcomes: committed.outcomes.map((outcome, index) => this.#settle(prepared[index], outcome)),
    };
  }

  /** The answer when `commit` never got the lock. */
  busy(prepared: readonly Prepared[]): Committed {
    const { home } = this.#context;
    const holders = findHolders(home);
    const reason = `the store was locked for ${LOCK_PATIENCE_MS_MAX / 1_000} s by ${describeHolders(holders)}`;
    return this.fail(prepared, new BatonError('STORE_BUSY', reason, { home, holders }));
  }

  fail(prepared: readonly unknown[], failure: Error): Committed {
    return { outcomes: prepared.map(() => ({ failure })), news: false };
  }

  close(): void {
    const { locks, connection } = this.#context;
    locks.close();
    try {
      // The driver closes the file too late for SQLite to do this by itself; the next one to open would have to.
      if (!this.#dead) connection.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    } catch {
      // What was acknowledged is safe in the WAL: without space or with a sick disk it stays there.
    } finally {
      connection.close();
    }
  }

  #transact(prepared: readonly Prepared[]): Committed {
    const { connection, home } = this.#context;
    const known = this.#known;
    known.begin();
    const journal = new JournalWriter(connection, known.head);
    const tx: Transaction = { connection, home, journal, known };
    const outcomes = prepared.map((each): Outcome => {
      if ('failure' in each) return each;
      return { value: OPERATIONS[each.task.name].apply(tx, each.task.args, each.value) };
    });
    const head = journal.sealBatch();
    connection.run('COMMIT');
    known.head = head;
    return { outcomes, news: journal.wrote || prepared.some(isNews) };
  }

  #commitEachAlone(prepared: readonly Prepared[]): Committed {
    const outcomes = prepared.flatMap((each) => {
      return (this.commit([each], LOCK_PATIENCE_MS_MAX) ?? this.busy([each])).outcomes;
    });
    return { outcomes, news: true };
  }

  /** It is committed, whatever happens here; only what was asked for besides the rows can still fail. */
  #settle(each: Prepared | undefined, outcome: Outcome): Outcome {
    if (!each || 'failure' in each) return outcome;
    try {
      OPERATIONS[each.task.name].settle?.(this.#context, each.task.args, each.value);
      return outcome;
    } catch (failure) {
      return { failure: this.#blame(failure) };
    }
  }

  #rollBack(): void {
    this.#known.forgetAll();
    try {
      this.#context.connection.exec('ROLLBACK');
    } catch {
      // After some failures SQLite has rolled back by itself, and before BEGIN there is nothing to roll back.
    }
  }

  #blame(failure: unknown): Error {
    const error = storeError(failure, this.#context.home);
    if (isFatal(error)) this.#dead = error;
    return error;
  }
}

function isNews(each: Prepared): boolean {
  return 'task' in each && NEWS.includes(each.task.name);
}

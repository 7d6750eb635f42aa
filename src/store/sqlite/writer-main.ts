import { setTimeout as sleep } from 'node:timers/promises';
import { type Committer, LOCK_PATIENCE_MS_MAX } from './commit.js';
import { type OnNews, TickQueue } from './tick-queue.js';
import type { Committed, Writer, WriteTask } from './write-tasks.js';

/** How long a commit may block the event loop in the hope that the lock comes free at once. */
const BLOCK_MS_MAX = 4;
const REST_MS = 2;

/** Writes on the thread of the caller: the fastest way for a command that has nothing else to do. */
export function createMainWriter(committer: Committer, onNews: OnNews): Writer {
  const queue = new TickQueue((tasks) => commitPatiently(committer, tasks), onNews);
  return {
    write: (name, args) => queue.write(name, args),
    async close() {
      await queue.close();
      committer.close();
    },
  };
}

function commitPatiently(committer: Committer, tasks: readonly WriteTask[]): Promise<Committed> | Committed {
  const prepared = committer.prepare(tasks);
  return committer.commit(prepared, BLOCK_MS_MAX) ?? commitWhenFree(committer, prepared);
}

async function commitWhenFree(committer: Committer, prepared: ReturnType<Committer['prepare']>): Promise<Committed> {
  const deadlineMs = performance.now() + LOCK_PATIENCE_MS_MAX;
  while (performance.now() < deadlineMs) {
    await sleep(REST_MS * Math.random());
    const committed = committer.commit(prepared, BLOCK_MS_MAX);
    if (committed) return committed;
  }
  return committer.busy(prepared);
}

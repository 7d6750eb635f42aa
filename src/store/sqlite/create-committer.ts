import path from 'node:path';
import { BeatWatch } from './beat-watch.js';
import { Committer } from './commit.js';
import { Connection } from './connection.js';
import type { Driver } from './driver.js';
import { prepareConnection } from './pragmas.js';
import { workerLocks } from './worker-locks.js';

/** What the writing side needs, in this thread or in its own. */
export function createCommitter(driver: Driver, home: string): Committer {
  const connection = new Connection(driver, path.join(home, 'baton.db'));
  prepareConnection(connection, home);
  return new Committer({ connection, home, locks: workerLocks(driver, home), beats: new BeatWatch() });
}

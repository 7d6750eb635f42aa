/** The thread that writes. Started by writer-thread.ts; built as a file of its own beside the file that starts it. */
import { parentPort, workerData } from 'node:worker_threads';
import { type Committer, LOCK_PATIENCE_MS_MAX } from './commit.js';
import { createCommitter } from './create-committer.js';
import { loadDriver } from './driver.js';
import { type ThreadReply, type ThreadRequest, type ThreadStart, toPlainFailure, toReply } from './thread-messages.js';

const port = parentPort;
if (!port) throw new Error('writer-worker runs as a thread only');
const reply = (message: ThreadReply): void => port.postMessage(message);

try {
  const { home } = workerData as ThreadStart;
  const committer = createCommitter(await loadDriver(), home);
  port.on('message', (request: ThreadRequest) => serve(committer, request));
  reply({ type: 'ready' });
} catch (failure) {
  reply({ type: 'unable', failure: toPlainFailure(failure) });
}

function serve(committer: Committer, request: ThreadRequest): void {
  if (request.type === 'close') {
    committer.close();
    port?.close();
    return;
  }
  const prepared = committer.prepare(request.tasks);
  reply(toReply(committer.commit(prepared, LOCK_PATIENCE_MS_MAX) ?? committer.busy(prepared)));
}

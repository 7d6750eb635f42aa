/** A writer thread that starts well and dies of its first request. */
import { parentPort } from 'node:worker_threads';

parentPort?.on('message', () => {
  throw new Error('out of memory');
});
parentPort?.postMessage({ type: 'ready' });

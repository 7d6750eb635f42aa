/** A writer thread that starts well and ends while nothing is asked of it. */
import { parentPort } from 'node:worker_threads';

parentPort?.postMessage({ type: 'ready' });
setTimeout(() => process.exit(3), 20);

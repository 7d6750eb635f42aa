// A scripted model in a thread of its own, so that it takes none of the turns of whoever is measured.
import { Worker } from 'node:worker_threads';

/** The address of a model that always answers this text. `module` has `startModelServer`. */
export function startModel(module, text) {
  const scenario = { turns: [{ steps: [{ text }] }] };
  const worker = new Worker(new URL('./meter-thread.mjs', import.meta.url), {
    workerData: { module, part: 'provider', scenario },
  });
  worker.unref();
  return new Promise((resolve, reject) => {
    worker.once('message', ({ url }) => resolve(url));
    worker.once('error', reject);
  });
}

// Bundles a file of test/simulation and runs it, here or in worker threads.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { Worker } from 'node:worker_threads';
import { build } from 'esbuild';

const HERE = path.dirname(fileURLToPath(import.meta.url));

/** Bundles an entry of test/simulation and hands its address on; the bundle is gone afterwards. */
export async function withBundle(entry, use) {
  const folder = mkdtempSync(path.join(tmpdir(), 'baton-simulation-'));
  try {
    const outfile = path.join(folder, 'bundle.mjs');
    await build({
      entryPoints: [path.join(HERE, entry)],
      outfile,
      bundle: true,
      platform: 'node',
      format: 'esm',
      logLevel: 'warning',
    });
    return await use(pathToFileURL(outfile).href);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** One worker for each share of the work; every message goes to `onMessage` with its share. */
export async function inWorkers(url, shares, onMessage) {
  await Promise.all(
    shares.map(
      (workerData) =>
        new Promise((resolve, reject) => {
          const worker = new Worker(new URL(url), { workerData });
          worker.on('message', (message) => onMessage(message, workerData));
          worker.on('error', reject);
          worker.on('exit', resolve);
        }),
    ),
  );
}

// The engine and the store are not part of the public library yet: benchmarks bundle them from source.
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';

const ROOT = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..');
/** What most benchmarks use. */
export const ENGINE_PARTS = [
  'core/errand/errand-decider',
  'engine/chain',
  'engine/dispatch',
  'engine/engine',
  'engine/machines',
  'engine/scrub',
  'engine/seal',
  'store/sqlite/connection',
  'store/sqlite/driver',
  'store/sqlite/open',
  'store/sqlite/pragmas',
  'store/sqlite/schema-version',
  'system/node-clock',
  'system/node-hasher',
  'system/node-ids',
];

/** A folder in the checkout, where packages are found by name and the disk is a real one; gone when we end. */
export function scratchFolder() {
  const parent = path.join(ROOT, 'node_modules/.cache');
  mkdirSync(parent, { recursive: true });
  const folder = mkdtempSync(path.join(parent, 'baton-bench-'));
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => process.exit(1));
  return folder;
}

/** The address of one module with the named parts; the writer thread's code lies beside it. */
export async function bundleSource(folder, parts = ENGINE_PARTS) {
  const contents = parts.map((part) => `export * from './${part}.ts';`).join('\n');
  const shared = { bundle: true, format: 'esm', platform: 'node', target: 'node20', packages: 'external' };
  const outfile = path.join(folder, 'baton.mjs');
  await build({ ...shared, outfile, stdin: { contents, resolveDir: path.join(ROOT, 'src'), loader: 'ts' } });
  await build({
    ...shared,
    outfile: path.join(folder, 'writer-worker.js'),
    entryPoints: [path.join(ROOT, 'src/store/sqlite/writer-worker.ts')],
  });
  return pathToFileURL(outfile).href;
}

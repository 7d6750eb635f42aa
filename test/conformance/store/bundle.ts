import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import os from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { build, type Plugin } from 'esbuild';
import { afterAll } from 'vitest';

const require = createRequire(import.meta.url);
const folders: string[] = [];
afterAll(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

/** The bundle lies in a temporary folder, from where packages would not be found by name. */
const driverByAddress: Plugin = {
  name: 'driver by address',
  setup({ onResolve }) {
    onResolve({ filter: /^@photostructure\/sqlite$/ }, ({ path: name }) => {
      return { path: pathToFileURL(require.resolve(name)).href, external: true };
    });
  },
};

/** Makes one TypeScript file runnable by itself, as a thread or a process, and answers with where it is. */
export async function bundle(entry: URL): Promise<URL> {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'baton-bundle-'));
  folders.push(folder);
  const outfile = path.join(folder, 'entry.mjs');
  await build({
    entryPoints: [entry.pathname],
    outfile,
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    logLevel: 'warning',
    plugins: [driverByAddress],
  });
  return pathToFileURL(outfile);
}

export function bundleWriterWorker(): Promise<URL> {
  return bundle(new URL('../../../src/store/sqlite/writer-worker.ts', import.meta.url));
}

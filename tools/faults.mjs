// Tortures the real store and real processes: node tools/faults.mjs [harness …] [--kills N] [--pauses N] [--seed N] …
// Prints one closing line per harness; exits 1 when something was lost, done twice or a planted bug was not caught.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';

const ROOT = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');

/** The bundle lies in a temporary folder, from where packages would not be found by name. */
const packagesByAddress = {
  name: 'packages by address',
  setup({ onResolve }) {
    onResolve({ filter: /^(@photostructure\/sqlite|esbuild|ws|@grpc\/.*)$/ }, ({ path: name }) => {
      return { path: import.meta.resolve(name), external: true };
    });
  },
};

const folder = mkdtempSync(path.join(tmpdir(), 'baton-faults-'));
try {
  const outfile = path.join(folder, 'faults.mjs');
  await build({
    entryPoints: [path.join(ROOT, 'test/faults/command-line.ts')],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    logLevel: 'warning',
    plugins: [packagesByAddress],
  });
  const { faultsFromCommandLine } = await import(pathToFileURL(outfile).href);
  process.exitCode = await faultsFromCommandLine(process.argv.slice(2), ROOT);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

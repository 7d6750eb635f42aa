// Fuzzes every contract, or with --shell the exec policy: node tools/fuzz.mjs [--shell] [--inputs 1000000] [--seed N] [--from N]
// Prints what was tried and how it fell; exits 1 with the smallest payload found when two judges disagree.
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';

const ROOT = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');

// Inside node_modules, so that packages with files of their own are found from there.
const cache = path.join(ROOT, 'node_modules/.cache');
mkdirSync(cache, { recursive: true });
const folder = mkdtempSync(path.join(cache, 'baton-fuzz-'));
try {
  const outfile = path.join(folder, 'fuzz.mjs');
  await build({
    entryPoints: [path.join(ROOT, 'test/fuzz/command-line.ts')],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    external: ['web-tree-sitter'],
    logLevel: 'warning',
  });
  const { fuzzFromCommandLine } = await import(pathToFileURL(outfile).href);
  process.exitCode = await fuzzFromCommandLine(process.argv.slice(2), pathToFileURL(`${ROOT}/`));
} finally {
  rmSync(folder, { recursive: true, force: true });
}

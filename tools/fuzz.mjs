// Fuzzes every contract: node tools/fuzz.mjs [--inputs 1000000] [--seed N] [--from N]
// Prints what was tried and how it fell; exits 1 with the smallest payload found when two judges disagree.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';

const ROOT = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');

const folder = mkdtempSync(path.join(tmpdir(), 'baton-fuzz-'));
try {
  const outfile = path.join(folder, 'fuzz.mjs');
  await build({
    entryPoints: [path.join(ROOT, 'test/fuzz/command-line.ts')],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    logLevel: 'warning',
  });
  const { fuzzFromCommandLine } = await import(pathToFileURL(outfile).href);
  process.exitCode = fuzzFromCommandLine(process.argv.slice(2), pathToFileURL(`${ROOT}/`));
} finally {
  rmSync(folder, { recursive: true, force: true });
}
